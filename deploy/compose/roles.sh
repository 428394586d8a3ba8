#!/bin/sh
# Create the database and its three roles. The image of PostgreSQL runs this once, when it makes a new cluster.
set -eu
password() { tr -d '\n' < "${SECRETS:-/run/secrets}/$1_password"; }

psql --username "${POSTGRES_USER:-postgres}" --dbname postgres --set ON_ERROR_STOP=1 \
    --set owner="$(password owner)" --set application="$(password application)" --set reader="$(password reader)" <<'SQL'
CREATE ROLE baza_owner LOGIN PASSWORD :'owner';
CREATE ROLE baza_app LOGIN PASSWORD :'application';
CREATE ROLE baza_reader LOGIN PASSWORD :'reader';
CREATE DATABASE baza OWNER baza_owner;
SQL
