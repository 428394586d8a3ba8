"""Move the rows of imported lists out of their JSON: each list becomes one part.

Lists under review are compared when somebody opens them. Small batches, so that memory holds few lists.
"""

from django.db import migrations

from tournaments.formats.licence import normalise

SIZE = 500
OF_PARTS = ("created", "changed", "entries")  # of what was written, what is stored with the part


def move(apps, schema_editor) -> None:
    List, Part, Row = (apps.get_model("office", name) for name in ("OfficeImport", "ListPart", "ListRow"))
    for pk in list(List.objects.values_list("pk", flat=True)):
        batch = List.objects.get(pk=pk)
        read, lines = batch.parsed.get("rows", []), batch.lines
        if not (read or lines or batch.written):
            continue
        part = Part.objects.create(
            batch=batch,
            position=0,
            written={key: batch.written[key] for key in OF_PARTS if key in batch.written},
        )
        rows = [
            Row(
                batch=batch,
                part=part,
                line=row["line"],
                values=row["values"],
                number=normalise(row["values"].get("number")) or "",
            )
            for row in read
        ]
        rows += [
            Row(
                batch=batch,
                part=part,
                line=line["line"],
                change="change" if line["changes"] else "add",
                number=line["number"],
                details=[[*detail, False, False] for detail in line["details"]],
            )
            for line in lines
        ]
        Row.objects.bulk_create(rows, batch_size=SIZE)
        parsed = batch.parsed | {"rows": []} if batch.parsed else {}
        written = {key: value for key, value in batch.written.items() if key not in OF_PARTS}
        List.objects.filter(pk=pk).update(parsed=parsed, lines=[], written=written)


def move_back(apps, schema_editor) -> None:
    List, Part, Row, Task = (
        apps.get_model("office", name) for name in ("OfficeImport", "ListPart", "ListRow", "ListTask")
    )
    for pk in list(List.objects.values_list("pk", flat=True)):
        batch = List.objects.get(pk=pk)
        read, lines = [], []
        for row in Row.objects.filter(batch=batch).order_by("line").iterator(chunk_size=SIZE):
            if batch.parsed:
                read.append({"line": row.line, "values": row.values})
            else:
                details = [detail[:3] for detail in row.details]
                change = row.change == "change"
                lines.append({"line": row.line, "changes": change, "number": row.number, "details": details})
        written = dict(batch.written)
        for part in Part.objects.filter(batch=batch).order_by("position"):
            for key, values in part.written.items():
                if key in OF_PARTS:
                    written[key] = written.get(key, []) + values
        parsed = batch.parsed | {"rows": read} if batch.parsed else {}
        List.objects.filter(pk=pk).update(parsed=parsed, lines=lines, written=written)
    Row.objects.all().delete()
    Part.objects.all().delete()
    Task.objects.filter(verb="compare").delete()  # they are asked for again


class Migration(migrations.Migration):

    dependencies = [
        ("office", "0009_lists_by_row"),
    ]

    operations = [
        migrations.RunPython(move, move_back),
    ]
