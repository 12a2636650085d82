#!/bin/sh
# Runs evalkit with secrets that lie in files: with PGPASSWORD_FILE=/run/secrets/store the variable PGPASSWORD is what is in the file.
# So it is with EVALKIT_QUEUE_PASSWORD_FILE and with every NAME_API_KEY_FILE.
set -eu
for name in $(env | sed -n 's/^\([A-Z][A-Z0-9_]*\)_FILE=.*/\1/p'); do
  case "$name" in
    PGPASSWORD | EVALKIT_QUEUE_PASSWORD | *_API_KEY)
      eval "file=\$${name}_FILE"
      if [ ! -r "$file" ]; then
        echo "evalkit: ${name}_FILE names $file, which cannot be read" >&2
        exit 2
      fi
      value=$(cat "$file")
      export "$name=$value"
      ;;
  esac
done
exec evalkit "$@"
