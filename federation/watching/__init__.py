"""What operators watch the installation by: logs, request ids, metrics, readiness, error reports, a page.

docs/monitoring.md describes all of it. The health page and the alarms are `federation.health` and
`federation.alarms`.
"""
