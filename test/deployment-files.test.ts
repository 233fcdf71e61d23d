import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { secretFileVariables } from '../packages/server/src/config/secret-files.ts';
import { settings } from '../packages/server/src/config/settings.ts';
import { needs } from './support/requirements.ts';
import { openStorefront } from './support/storefront.ts';
import { testMetricsToken } from './support/test-app.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');
const readYaml = (path: string) => parse(read(path), { merge: true });
const settingNames = Object.keys(settings);

/** Compiles a module, in a folder from which it can import packages. */
function findTypeErrors(source: string): string[] {
  const cache = join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'types-'));
  try {
    writeFileSync(join(folder, 'objects.ts'), source);
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--pretty',
      'false',
      '--types',
      '',
      '--moduleResolution',
      'bundler',
      '--module',
      'esnext',
    ];
    const { stdout } = spawnSync(process.execPath, [compiler, ...options, 'objects.ts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return stdout.split('\n').filter((line) => line.includes('error TS'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile');

  it('uses the version of Node.js that the project recommends', () => {
    const versions = [...dockerfile.matchAll(/^FROM node:(\d+)-/gm)].map(([, version]) => version);
    expect(versions).toEqual([read('.nvmrc').trim(), read('.nvmrc').trim()]);
  });

  it('runs scripts that exist, and the program as an ordinary user', () => {
    const scripts = [...dockerfile.matchAll(/^RUN node (\S+)/gm)].map(([, script = '']) => script);
    expect(scripts).toEqual(['scripts/setup.mjs', 'scripts/install-server.mjs']);
    for (const script of scripts) expect(existsSync(`${root}/${script}`)).toBe(true);
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile.lastIndexOf('\nUSER node')).toBeLessThan(dockerfile.indexOf('\nENTRYPOINT'));
    expect(existsSync(`${root}/packages/server/bin/keyfront-server.js`)).toBe(true);
  });

  it('copies no secrets into the image', () => {
    expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['**/.env', '.keyfront']));
  });

  it('sets only settings of the service', () => {
    const [, block = ''] = dockerfile.match(/^ENV ((?:.*\\\n)*.*)/m) ?? [];
    const names = [...block.matchAll(/(\w+)=/g)].map(([, name = '']) => name);
    expect(names.filter((name) => !settingNames.includes(name))).toEqual([]);
    expect(names).toContain('NODE_ENV');
  });
});

describe('the Compose file', () => {
  const text = read('deploy/compose/compose.yaml');
  const { services, networks, volumes } = readYaml('deploy/compose/compose.yaml');

  it('sets only settings of the service, on every instance', () => {
    for (const name of ['migrate', 'keyfront']) {
      expect(settingNames).toEqual(expect.arrayContaining(Object.keys(services[name].environment)));
      expect(services[name].read_only).toBe(true);
    }
    expect(services.keyfront.deploy.replicas).toBe(2);
  });

  it('stores images in a folder that the image gives to the user of the service', () => {
    const { environment, volumes: mounts } = services.keyfront;
    expect(mounts).toEqual([`images:${environment.IMAGE_FOLDER}`]);
    expect(read('Dockerfile')).toContain(
      `RUN mkdir --parents ${environment.IMAGE_FOLDER} && chown --recursive node:node /data\nVOLUME /data`,
    );
  });

  it('gives the owner of the tables only to the migration', () => {
    expect(services.migrate.environment.DATABASE_OWNER_URL).toMatch(/:.\{POSTGRES_PASSWORD\}@/);
    expect(JSON.stringify(services.keyfront.environment)).not.toMatch(/OWNER|POSTGRES_PASSWORD/);
    const user = new URL(services.keyfront.environment.DATABASE_URL.replace(/\$\{\w+\}/, 'x')).username;
    expect(read('deploy/compose/create-login.sql')).toContain(`CREATE ROLE ${user} LOGIN`);
  });

  it('limits the log of every container, and asks PostgreSQL by TCP whether it is ready', () => {
    for (const [name, { logging }] of Object.entries<{ logging?: { options: object } }>(services))
      expect([name, logging?.options]).toEqual([name, { 'max-size': '20m', 'max-file': '5' }]);
    expect(services.postgres.healthcheck.test).toContain('--host');
  });

  it('reads exactly the variables of the example', () => {
    const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    const example = read('deploy/compose/env.example').match(/^\w+(?==)/gm);
    expect([...used].sort()).toEqual(example?.sort());
  });

  it('trusts the network of its proxy, and names only what it defines', () => {
    const [{ subnet }] = networks.inner.ipam.config;
    expect(services.keyfront.environment.TRUST_PROXY).toBe(subnet);
    for (const service of Object.values<{ volumes?: string[]; networks: string[] }>(services)) {
      for (const name of service.networks) expect(Object.keys(networks)).toContain(name);
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('./')) expect(existsSync(`${root}/deploy/compose/${source}`)).toBe(true);
        else expect(Object.keys(volumes)).toContain(source);
      }
    }
  });
});

describe('the Kubernetes base', () => {
  const { resources, configMapGenerator } = readYaml('deploy/kubernetes/kustomization.yaml');
  const objects = (resources as string[]).flatMap((file) =>
    parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => document.toJS()),
  );
  const find = (kind: string) => objects.find((object) => object.kind === kind);

  it('contains all its files, and configures only settings of the service', () => {
    const files = readdirSync(`${root}/deploy/kubernetes`).filter((name) => name !== 'kustomization.yaml');
    expect([...resources].sort()).toEqual(files.sort());
    const names = configMapGenerator[0].literals.map((literal: string) => literal.split('=')[0]);
    expect([...settingNames, ...secretFileVariables.keys()]).toEqual(expect.arrayContaining(names));
  });

  it('selects the instances, and not the job', () => {
    const labels = find('Deployment').spec.template.metadata.labels;
    for (const selector of [
      find('Deployment').spec.selector.matchLabels,
      find('Service').spec.selector,
      find('PodDisruptionBudget').spec.selector.matchLabels,
    ]) {
      expect(selector).toEqual(labels);
    }
    expect(find('Job').spec.template.metadata).toBeUndefined();
  });

  it('gives the owner of the tables only to the migration', () => {
    const secretsOf = (kind: string) => {
      const { volumes } = find(kind).spec.template.spec;
      return volumes.flatMap(({ secret }: { secret?: { secretName: string } }) => secret?.secretName ?? []);
    };
    expect(secretsOf('Deployment')).toEqual(['keyfront']);
    expect(secretsOf('Job')).toEqual(['keyfront', 'keyfront-owner']);
  });

  it('mounts every file of a secret that it names, and has no secret in a variable', () => {
    const literals = configMapGenerator[0].literals.map((literal: string) => literal.split('='));
    for (const kind of ['Deployment', 'Job']) {
      const [container] = find(kind).spec.template.spec.containers;
      const variables = [
        ...literals,
        ...(container.env ?? []).map(({ name, value }: Record<string, string>) => [name, value]),
      ].filter(([name]: string[]) => name?.endsWith('_FILE'));
      expect(variables.length).toBeGreaterThan(2);
      const folders = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
      for (const [name, path] of variables) {
        expect(folders).toContain(path.slice(0, path.lastIndexOf('/')));
        expect(`${path.split('/').at(-1)}_FILE`).toBe(name);
      }
      expect(JSON.stringify(container)).not.toContain('secretRef');
    }
  });

  it('has the fields that Kubernetes knows, of the right types', { tags: ['long'] }, () => {
    const types: Record<string, string> = {
      Deployment: 'apps/v1',
      HorizontalPodAutoscaler: 'autoscaling/v2',
      Job: 'batch/v1',
      NetworkPolicy: 'networking.k8s.io/v1',
      PodDisruptionBudget: 'policy/v1',
      Service: 'core/v1',
    };
    const declare = (kind: string, value: unknown, index: number) => {
      const folder = types[kind]?.replace('.k8s.io', '');
      return `import type { ${kind} } from 'kubernetes-types/${folder}';\nexport const object${index}: ${kind} = ${JSON.stringify(value, null, 1)};\n`;
    };
    const source = objects.map((object, index) => declare(object.kind, object, index)).join('');
    expect(findTypeErrors(source)).toEqual([]);
    for (const { kind, apiVersion } of objects)
      expect([kind, apiVersion]).toEqual([kind, types[kind]?.replace('core/', '')]);
    // The check finds a misspelt field and a wrong type.
    const deployment = structuredClone(find('Deployment'));
    deployment.spec.template.spec.containers[0].livnessProbe = {};
    deployment.spec.minReadySeconds = '3';
    expect(findTypeErrors(declare('Deployment', deployment, 0))).toHaveLength(2);
  });

  it('probes addresses that respond', async () => {
    const { service } = await openStorefront();
    const [container] = find('Deployment').spec.template.spec.containers;
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path, port } = container[probe].httpGet;
      expect(port).toBe(container.ports[0].name);
      expect([path, (await fetch(`${service.origin}${path}`)).status]).toEqual([path, 200]);
    }
  });
});

it('systemd accepts the unit', needs('systemd-analyze'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'keyfront-unit-'));
  try {
    // The program is not installed at its place on this machine.
    const unit = read('deploy/systemd/keyfront.service').replace('/usr/bin/node', process.execPath);
    writeFileSync(join(folder, 'keyfront.service'), unit);
    const { status, stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', join(folder, 'keyfront.service')],
      {
        encoding: 'utf8',
      },
    );
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('keyfront.service'));
    expect({ status, lines }).toEqual({ status: 0, lines: [] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('the systemd unit starts the program where the script installs it', () => {
  const unit = read('deploy/systemd/keyfront.service');
  const [, program = ''] = unit.match(/^ExecStart=\/usr\/bin\/node \/opt\/keyfront\/(\S+)$/m) ?? [];
  const entrypoint = read('Dockerfile').match(/^ENTRYPOINT \["node", "(\S+)"\]$/m)?.[1];
  expect(program).toBe(entrypoint);
});

describe('monitoring', () => {
  /** The table of metrics in the documentation. */
  const documented = new Set(
    [...read('docs/operating/monitoring.md').matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \|/gm)].flatMap(
      ([, cell = '']) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name),
    ),
  );
  const metricsOf = (expressions: string[]) =>
    new Set(
      expressions.flatMap((expression) =>
        [...expression.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)(?=[{[,)])/g)]
          .map(([, name = '']) => name.replace(/_(?:bucket|count|sum)$/, ''))
          .filter((name) => !/^(?:label_values|histogram_quantile|process_|nodejs_)/.test(name)),
      ),
    );

  const { rules } = readYaml('deploy/monitoring/alerts.yaml').groups[0];
  const watched = metricsOf(rules.map(({ expr }: { expr: string }) => expr));
  const { panels } = JSON.parse(read('deploy/monitoring/dashboard.json'));
  const shown = metricsOf(
    panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr)),
  );

  it('the alerts watch metrics that exist', () => {
    expect(watched.size).toBeGreaterThan(4);
    for (const name of watched) expect(documented).toContain(name);
    for (const { annotations, labels } of rules) {
      expect(annotations.summary && annotations.description).toBeTruthy();
      expect(['page', 'ticket']).toContain(labels.severity);
    }
  });

  it('the dashboard shows metrics that exist', () => {
    expect(shown.size).toBeGreaterThan(6);
    for (const name of shown) expect(documented).toContain(name);
  });

  it('the metrics of Node.js that they use exist', async () => {
    const { service } = await openStorefront();
    const headers = { authorization: `Bearer ${testMetricsToken}` };
    const text = await (await fetch(`${service.origin}/metrics`, { headers })).text();
    const used = `${read('deploy/monitoring/alerts.yaml')}${read('deploy/monitoring/dashboard.json')}`;
    const names = new Set([...used.matchAll(/\b(?:nodejs|process)_\w+/g)].map(([name]) => name));
    expect(names.size).toBeGreaterThan(2);
    for (const name of names) expect(text).toContain(`# TYPE ${name} `);
  });

  it('the dashboard shows what the alerts watch', () => {
    expect([...watched].filter((name) => !shown.has(name))).toEqual([]);
  });
});
