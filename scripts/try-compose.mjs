// Runs the services of deploy/compose/compose.yaml under podman, in the order and with the options of the file, and checks that they
// work together. scripts/try-image.sh calls it, after it has made the images.
//
// The images of PostgreSQL, Redis and Caddy are stand-ins with the packages of Debian, which are older than those of the file.

import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const [work = ''] = process.argv.slice(2);
const folder = fileURLToPath(new URL('../deploy/compose', import.meta.url));
const random = () => randomBytes(32).toString('hex');
const variables = {
  DOMAIN: 'localhost',
  POSTGRES_PASSWORD: random(),
  POSTGRES_LOGIN_PASSWORD: random(),
  JWT_SECRET: random(),
  DATA_ENCRYPTION_KEY: random(),
  METRICS_TOKEN: random(),
};
const substitute = (text) => text.replaceAll(/\$\{(\w+)(?::-)?\}/g, (_, name) => variables[name] ?? '');
const { services, networks } = parse(substitute(readFileSync(join(folder, 'compose.yaml'), 'utf8')), {
  merge: true,
});

/**
 * What the official image does at its first start: a server that only listens on its socket runs the scripts, and then ends. It stays
 * a little longer here, so that a health check that asks the socket is caught.
 */
const postgresEntrypoint = `#!/bin/sh
set -e
data=/var/lib/postgresql/data-of-keyfront
bin=$(ls -d /usr/lib/postgresql/*/bin)
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
chown postgres:postgres /var/lib/postgresql
mkdir -p /run/postgresql && chown postgres:postgres /run/postgresql
if [ ! -e $data/PG_VERSION ]; then
  printf %s "$POSTGRES_PASSWORD" >/tmp/password && chown postgres /tmp/password
  as_postgres $bin/initdb --pgdata $data --username "$POSTGRES_USER" --pwfile /tmp/password --auth-host scram-sha-256 >/dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>$data/pg_hba.conf
  as_postgres $bin/pg_ctl --pgdata $data --options "-c listen_addresses=''" --wait --silent start >/dev/null
  as_postgres createdb --username "$POSTGRES_USER" "$POSTGRES_DB" 2>/dev/null || true
  for file in /docker-entrypoint-initdb.d/*.sql; do
    as_postgres psql --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --file "$file"
  done
  sleep 5
  as_postgres $bin/pg_ctl --pgdata $data --wait --silent stop
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups $bin/postgres -D $data -c "listen_addresses=*"
`;
const entrypoint = join(work, 'postgres-entrypoint.sh');
writeFileSync(entrypoint, postgresEntrypoint, { mode: 0o755 });
/** What the official images have, and packages of Debian do not. */
const standIns = {
  postgres: ['--volume', `${entrypoint}:/entrypoint.sh:ro`, '--entrypoint', '/entrypoint.sh'],
  // It listens on all interfaces of its container, as in its image.
  redis: [],
  proxy: ['--env', 'XDG_DATA_HOME=/data', '--env', 'XDG_CONFIG_HOME=/config'],
};
const standInCommands = {
  redis: ['--bind', '0.0.0.0', '--protected-mode', 'no'],
  proxy: ['caddy', 'run', '--config', '/etc/caddy/Caddyfile'],
};

let passed = 0;
const pass = (text) => {
  passed += 1;
  process.stdout.write(`  ok  ${text}\n`);
};
const podman = (...args) =>
  execFileSync('podman', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
const attempt = (...args) => spawnSync('podman', args, { encoding: 'utf8' });

async function within(seconds, what, isDone) {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await sleep(200))
    if (await isDone()) return;
  for (const name of containers)
    process.stderr.write(`--- ${name}\n${attempt('logs', '--tail', '15', name).stderr}\n`);
  throw new Error(`${what}: not within ${seconds} seconds`);
}

for (const [name, network] of Object.entries(networks)) {
  const subnet = network?.ipam?.config[0].subnet;
  podman('network', 'create', ...(subnet ? ['--subnet', subnet] : []), `keyfront-${name}`);
}

const containers = [];
for (const [name, service] of sortByDependencies()) {
  const copies = Array.from({ length: service.deploy?.replicas ?? 1 }, (_, index) => `${name}-${index + 1}`);
  for (const container of copies) {
    containers.push(container);
    podman('run', '--detach', '--name', container, ...optionsOf(name, service));
  }
  for (const container of copies) await waitFor(container, service);
}

await checkTogether();
process.stdout.write(`${passed} checks of the Compose file passed\n`);

function sortByDependencies() {
  const sorted = new Map();
  const add = (name) => {
    for (const needed of Object.keys(services[name].depends_on ?? {})) add(needed);
    sorted.set(name, services[name]);
  };
  for (const name of Object.keys(services)) add(name);
  return sorted;
}

function optionsOf(name, service) {
  // Podman leaves it to systemd to run a health check. It is run by hand here.
  const options = ['--no-healthcheck'];
  for (const network of service.networks) options.push('--network', `keyfront-${network}:alias=${name}`);
  for (const [key, value] of Object.entries(service.environment ?? {}))
    options.push('--env', `${key}=${value ?? ''}`);
  for (const volume of service.volumes ?? [])
    options.push(
      '--volume',
      volume.startsWith('./') ? volume.replace(/^\.[^:]*/, (path) => resolve(folder, path)) : volume,
    );
  for (const path of service.tmpfs ?? []) options.push('--tmpfs', path);
  for (const capability of service.cap_drop ?? []) options.push('--cap-drop', capability);
  for (const option of service.security_opt ?? [])
    options.push('--security-opt', option.replace(/:true$/, ''));
  if (service.read_only) options.push('--read-only');
  const { options: log } = service.logging;
  options.push('--log-driver', 'k8s-file', '--log-opt', `max-size=${log['max-size']}`);
  return [
    ...options,
    ...(standIns[name] ?? []),
    service.image,
    ...(service.command ?? []),
    ...(standInCommands[name] ?? []),
  ];
}

function healthCheckOf(image) {
  return JSON.parse(podman('image', 'inspect', '--format', '{{json .HealthCheck}}', image))?.Test ?? [];
}

async function waitFor(container, service) {
  if (service.restart === 'on-failure') {
    const code = Number(podman('wait', container));
    if (code !== 0) throw new Error(`${container} failed: ${attempt('logs', container).stderr}`);
    return pass(`${container} has completed`);
  }
  const [kind, ...test] = service.healthcheck?.test ?? healthCheckOf(service.image);
  if (kind !== undefined) {
    const command = kind === 'CMD-SHELL' ? ['sh', '-c', ...test] : test;
    await within(90, `${container} is healthy`, () => attempt('exec', container, ...command).status === 0);
    pass(`${container} is healthy`);
  }
  if (container === 'postgres-1') {
    if (attempt('exec', container, 'pg_isready', '--host', 'postgres').status !== 0)
      throw new Error('PostgreSQL is healthy before it accepts connections of other containers');
    pass('PostgreSQL accepts connections of other containers when it is healthy');
  }
}

async function checkTogether() {
  // To the container itself: this machine may use the ports of the file.
  const networks = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
  const [address] = podman('inspect', '--format', networks, 'proxy-1').split(' ');
  const options = ['--silent', '--insecure', '--connect-to', `localhost:443:${address}:443`];
  const output = ['--output', '/dev/null', '--write-out', '%{http_code}'];
  const status = (path) =>
    spawnSync('curl', [...options, ...output, `https://localhost${path}`], { encoding: 'utf8' }).stdout;
  await within(30, 'The proxy serves', () => status('/api/v1/public/healthStatus') === '200');
  pass('The API is served with HTTPS');
  for (const path of ['/metrics', '/health/ready']) {
    if (status(path) !== '404') throw new Error(`The proxy passes ${path} on`);
  }
  pass('The proxy does not pass metrics and health checks on');
  // One instance ends. The proxy serves all requests from the other one.
  podman('stop', '--time', '30', 'keyfront-1');
  for (let request = 0; request < 20; request += 1) {
    const code = status('/api/v1/public/healthStatus');
    if (code !== '200') throw new Error(`A request got ${code} after one of two instances had stopped`);
  }
  pass('All requests succeed after one of two instances has stopped');
  const environment = podman('inspect', '--format', '{{.Config.Env}}', 'keyfront-2');
  if (environment.includes(variables.POSTGRES_PASSWORD))
    throw new Error('An instance knows the owner of the tables');
  pass('The instances do not know the owner of the tables');
}
