#!/bin/sh
# Makes the secrets that compose.yml reads, once; what is there stays. The folder can be entered by its owner alone.
set -eu
folder=$(dirname "$0")/secrets
umask 022
mkdir -p "$folder"
chmod 700 "$folder"

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
secret() { [ -e "$folder/$1" ] || printf '%s' "$2" >"$folder/$1"; }

secret jwt_secret "$(random)"
secret settings_key "$(random)"
secret bootstrap_password "$(random)"
secret minio_user analytics
secret minio_password "$(random)"
secret object_store_url "s3+http://$(cat "$folder/minio_user"):$(cat "$folder/minio_password")@minio:9000/analytics"
# Empty: the built-in analyst answers.
secret openai_api_key ''
echo "The first manager's password is in $folder/bootstrap_password"
