#!/bin/sh
# Run once by the Postgres image, when its folder is empty: a user and a database for the product.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" <<'SQL'
CREATE ROLE forge LOGIN PASSWORD :'password';
CREATE DATABASE forge OWNER forge;
SQL
