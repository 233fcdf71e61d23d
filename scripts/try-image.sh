#!/usr/bin/env bash
# Builds the image with the unchanged Dockerfile, runs it, and checks what the operating pages promise. Needs no Docker and no
# registry of images: the base is made by debootstrap, with Node from npm. Needs Linux, root, and
#
#   apt-get install buildah podman runc debootstrap netavark aardvark-dns iptables openssl curl
#
#   scripts/try-image.sh            # the image, and then the services of the Compose file
#   scripts/try-image.sh image      # the image alone
#
# The base is kept in .cache/try-image for the next time. Everything else is in a temporary folder that is removed at the end.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for tool in buildah podman runc debootstrap iptables openssl curl; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: see the first lines of $0" >&2; exit 3; }
done
[ "$(id --user)" = 0 ] || { echo 'Run it as root: debootstrap needs it' >&2; exit 3; }

cache=$PWD/.cache/try-image
work=$(mktemp --directory /var/tmp/keyfront-image-XXXXXX)
mkdir --parents "$cache"
cleanup() {
  podman rm --force --all --time 2 >/dev/null 2>&1 || true
  podman network rm --force keyfront-trial keyfront-inner keyfront-outer >/dev/null 2>&1 || true
  buildah rm --all >/dev/null 2>&1 || true
  # Files of volumes belong to other users, and layers may still be mounted.
  umount --recursive "$work/storage/overlay" 2>/dev/null || true
  rm --recursive --force "$work"
}
trap cleanup EXIT

# Own storage and settings. Limits that this machine may not raise are taken as they are.
cat >"$work/storage.conf" <<CONF
[storage]
driver = "overlay"
graphroot = "$work/storage"
runroot = "$work/run"
CONF
cat >"$work/containers.conf" <<CONF
[containers]
log_driver = "k8s-file"
default_ulimits = ["nofile=$(ulimit -Sn):$(ulimit -Sn)", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
network_config_dir = "$work/networks"
CONF
mkdir "$work/networks"
export CONTAINERS_STORAGE_CONF=$work/storage.conf CONTAINERS_CONF=$work/containers.conf

passed=0
say() { printf '%s\n' "$*"; }
pass() { passed=$((passed + 1)); say "  ok  $*"; }
fail() { say "FAIL  $*" >&2; exit 1; }
equal() { [ "$2" = "$3" ] || fail "$1: expected \"$3\", found \"$2\""; pass "$1"; }
# within <seconds> <command…>: repeats the command until it succeeds.
within() {
  local end=$((SECONDS + $1)); shift
  until "$@" >/dev/null 2>&1; do [ $SECONDS -lt $end ] || return 1; sleep 0.2; done
}

architecture=$(dpkg --print-architecture)
major=$(sed -n 's/^FROM node:\([0-9]*\)-.*/\1/p' Dockerfile | head -1)

# --- The base --------------------------------------------------------------------------------------------------------

# The oldest processors of both architectures run it. npm has Node for them as a package, with its headers.
make_base() {
  local tree=$work/base package
  say "Making a base with debootstrap"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$tree" >"$work/debootstrap.log" 2>&1 ||
    { tail -20 "$work/debootstrap.log" >&2; fail 'debootstrap failed'; }
  mkdir "$work/packages"
  for package in "node-linux-${architecture/amd64/x64}@$major" npm@11; do
    (cd "$work/packages" && npm pack --silent "$package" >/dev/null)
  done
  tar --extract --gzip --file "$work"/packages/node-linux-*.tgz --directory "$work/packages"
  cp --recursive "$work/packages/package/bin" "$work/packages/package/include" "$tree/usr/local/"
  mkdir --parents "$tree/usr/local/lib/node_modules/npm"
  tar --extract --gzip --file "$work"/packages/npm-*.tgz --directory "$tree/usr/local/lib/node_modules/npm" --strip-components 1
  ln --symbolic ../lib/node_modules/npm/bin/npm-cli.js "$tree/usr/local/bin/npm"
  chmod +x "$tree/usr/local/lib/node_modules/npm/bin/npm-cli.js"
  # As in the official image.
  chroot "$tree" groupadd --gid 1000 node
  chroot "$tree" useradd --uid 1000 --gid node --shell /bin/bash --create-home node
  rm --recursive --force "$tree"/var/cache/apt/archives/*.deb
  tar --create --file "$cache/base.tar.partial" --directory "$tree" .
  mv "$cache/base.tar.partial" "$cache/base.tar"
  rm --recursive --force "$tree" "$work/packages"
}

# image <name> <packages>: the base with further packages of Debian, as the images that the Dockerfile or Compose name.
make_image() {
  local name=$1 archive=$cache/$3.tar container; shift
  if [ ! -e "$archive" ]; then
    say "Making a stand-in for $name"
    container=$(buildah from --pull-never docker.io/library/node:$major-bookworm-slim)
    buildah run --network host "$container" -- sh -c "apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends $1 >/dev/null && rm --recursive --force /var/lib/apt/lists/*" >"$work/apt.log" 2>&1 ||
      { tail -20 "$work/apt.log" >&2; fail "The packages of $name could not be installed"; }
    tar --create --file "$archive.partial" --directory "$(buildah mount "$container")" .
    buildah rm "$container" >/dev/null
    mv "$archive.partial" "$archive"
  fi
  import_image "$archive" "$name"
}

# Certificates that this machine trusts count during the build, also those of a proxy of the network.
certificates=/etc/ssl/certs/ca-certificates.crt
import_image() {
  podman import --quiet --change "ENV NODE_EXTRA_CA_CERTS=$certificates" "$1" "$2" >/dev/null
}

[ -e "$cache/base.tar" ] || make_base
import_image "$cache/base.tar" "docker.io/library/node:$major-bookworm-slim"
make_image "docker.io/library/node:$major-bookworm" 'g++ make python3' compiler

# --- The image -------------------------------------------------------------------------------------------------------

# From a copy without what was built before: only what git knows, and what is not committed yet.
mkdir "$work/source"
git ls-files --cached --others --exclude-standard -z | tar --create --null --files-from - --ignore-failed-read 2>/dev/null | tar --extract --directory "$work/source"
# The format of Docker: that of OCI has no health check.
build() {
  say 'Building the image'
  buildah build --format docker --pull-never --network host --volume "$certificates:$certificates:ro" --timestamp 0 --layers=false --tag "$1" "$work/source" >"$work/build.log" 2>&1 ||
    { tail -40 "$work/build.log" >&2; fail 'The image could not be built'; }
}
# Tests and this script are not in the image. The same sources are built once.
digest=$(cd "$work/source" && find . -type f -not -path './test/*' -not -path './scripts/try-*' -print0 | sort --zero-terminated | xargs --null sha256sum | sha256sum | cut --characters 1-32)
if [ -e "$cache/image-$digest.tar" ]; then
  podman load --quiet --input "$cache/image-$digest.tar" >/dev/null
else
  build keyfront
  rm --force "$cache"/image-*.tar
  podman save --quiet --format docker-archive --output "$cache/image-$digest.tar" keyfront
fi

image_size=$(podman image inspect --format '{{.Size}}' keyfront)
base_size=$(podman image inspect --format '{{.Size}}' "docker.io/library/node:$major-bookworm-slim")
megabytes=$(((image_size - base_size) / 1024 / 1024))
[ $megabytes -lt 200 ] || fail "The image has $megabytes MB without the base"
pass "The image has $megabytes MB without the base"

# Not the default network, whose addresses another bridge of this machine may have.
podman network create --subnet 172.29.17.0/24 keyfront-trial >/dev/null
# Podman leaves it to systemd to run a health check. It is run by hand here.
run=(podman run --no-healthcheck --network keyfront-trial --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges)
inside() { "${run[@]}" --rm --entrypoint "$1" keyfront "${@:2}"; }

equal 'It runs as uid 1000' "$(inside id --user)" 1000
inside sh -c '! touch /opt/keyfront/x 2>/dev/null && ! touch /x 2>/dev/null && touch /data/x' || fail 'The root file system is writable'
pass 'The root file system is read-only, and /data is not'
inside node --eval "require('secp256k1/bindings')" || fail 'libsecp256k1 does not load'
pass "Signatures are verified by libsecp256k1 on $architecture"
inside node --eval "const {components} = JSON.parse(require('fs').readFileSync('sbom.cdx.json')); if (components.length < 200) process.exit(1)" ||
  fail 'There is no bill of materials'
pass 'The image has its bill of materials'
inside sh -c '! command -v g++ && ! ls /opt/keyfront/node_modules/typescript 2>/dev/null' || fail 'The image has tools of the build'
pass 'The image has no compiler and no development dependency'
equal 'It prints its version' "$("${run[@]}" --rm keyfront --version)" "$(node --print "require('./packages/server/package.json').version")"

set +e
output=$("${run[@]}" --rm keyfront 2>&1); code=$?
set -e
equal 'Without DATABASE_URL it exits with 1' "$code" 1
grep --quiet 'DATABASE_URL is required with NODE_ENV=production' <<<"$output" || fail "It does not say why: $output"
pass 'and says why'

# The health check of the image: CMD and its arguments.
mapfile -t health < <(podman image inspect --format '{{range .HealthCheck.Test}}{{println .}}{{end}}' keyfront | sed '1d;/^$/d')
# start <name> <options…>: starts a container, and waits until it is healthy.
start() {
  local name=$1; shift
  "${run[@]}" --detach --name "$name" "$@" keyfront >/dev/null
  within 90 podman exec "$name" "${health[@]}" || { podman logs "$name" >&2; fail "$name is not healthy"; }
  address=$(podman inspect --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "$name"):3000
}
# stop <name>: sends SIGTERM, and checks the exit code.
stop() {
  podman stop --time 30 "$1" >/dev/null
  equal "$1 ends with 0 after SIGTERM" "$(podman inspect --format '{{.State.ExitCode}}' "$1")" 0
  podman logs "$1" 2>&1 | grep --quiet 'Keyfront is shutting down' || fail "$1 was killed"
}

start embedded --env DATABASE_URL=embedded --env KEYFRONT_DEMO=on --volume embedded-data:/data
equal 'With the embedded database and a read-only root it serves' \
  "$(curl --silent --output /dev/null --write-out '%{http_code}' "http://$address/health/ready")" 200
equal 'The reference is served' "$(curl --silent --output /dev/null --write-out '%{http_code}' "http://$address/docs")" 200
equal 'The console is served' "$(curl --silent --output /dev/null --write-out '%{http_code}' "http://$address/console")" 200
stop embedded
podman rm embedded >/dev/null
start embedded --env DATABASE_URL=embedded --env KEYFRONT_DEMO=on --volume embedded-data:/data
pass 'It starts again on the same volume'
stop embedded

if [ "${1:-}" = image ]; then
  say "$passed checks of the image passed"
  exit
fi

# --- The services of the Compose file --------------------------------------------------------------------------------

make_image docker.io/library/postgres:18-bookworm 'postgresql-15 postgresql-contrib' postgres
make_image docker.io/library/redis:8-bookworm redis-server redis
make_image docker.io/library/caddy:2.10 caddy caddy
podman tag keyfront registry.example/keyfront:latest
node scripts/try-compose.mjs "$work"
say "$passed checks of the image passed, and those of the Compose file"
