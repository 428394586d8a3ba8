/* Values of a drawing on hover and focus. Each SVG has its values, from left to right, in data-points: x, y (in its
   units) and text. The value nearest to the pointer is marked and written below; with the focus on the drawing, the
   arrow keys walk through the values. The table below each drawing has the same without this script. */
(function () {
  "use strict";
  const NAMESPACE = "http://www.w3.org/2000/svg";

  function enhance(svg) {
    const points = JSON.parse(svg.dataset.points);
    if (!points.length || svg.hasAttribute("tabindex")) return;
    const words = document.createElement("p");
    words.className = "plot-value";
    words.setAttribute("role", "status");
    svg.after(words);
    const dot = document.createElementNS(NAMESPACE, "circle");
    dot.setAttribute("class", "mark");
    dot.setAttribute("r", "6");
    let at = -1;

    function show(index) {
      at = Math.max(0, Math.min(points.length - 1, index));
      dot.setAttribute("cx", points[at][0]);
      dot.setAttribute("cy", points[at][1]);
      svg.append(dot);
      words.textContent = points[at][2];
    }

    function hide() {
      dot.remove();
      words.textContent = "";
    }

    function nearest(event) {
      const x = ((event.clientX - svg.getBoundingClientRect().left) * svg.viewBox.baseVal.width) / svg.clientWidth;
      let best = 0;
      points.forEach(function (point, index) {
        if (Math.abs(point[0] - x) < Math.abs(points[best][0] - x)) best = index;
      });
      return best;
    }

    const steps = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => points.length - 1 };
    svg.setAttribute("tabindex", "0");
    svg.addEventListener("pointermove", (event) => show(nearest(event)));
    svg.addEventListener("pointerdown", (event) => show(nearest(event)));
    svg.addEventListener("pointerleave", () => { if (document.activeElement !== svg) hide(); });
    svg.addEventListener("focus", () => show(at < 0 ? points.length - 1 : at));
    svg.addEventListener("blur", hide);
    svg.addEventListener("keydown", function (event) {
      if (event.key === "Escape") hide();
      if (!(event.key in steps)) return;
      event.preventDefault();
      show(steps[event.key]());
    });
  }

  document.querySelectorAll(".plot svg[data-points]").forEach(enhance);
})();
