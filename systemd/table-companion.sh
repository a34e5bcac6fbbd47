#!/bin/sh
# The companion as its service sees it: the service's user, groups, settings and records.
# sudo table-companion doctor; sudo table-companion replay /var/lib/table-companion/records/0001-witch-race.jsonl
if [ "$(id -u)" -ne 0 ]; then
    echo "table-companion: run it with sudo: it acts as the service's user" >&2
    exit 2
fi
cd /var/lib/table-companion || exit 2
exec runuser -u table-companion -- env STATE_DIRECTORY=/var/lib/table-companion \
    /opt/table-companion/bin/companion "$@"
