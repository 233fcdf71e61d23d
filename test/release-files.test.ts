import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('the workflow that publishes', () => {
  const { on, permissions, jobs } = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'));

  it('is started by a person, and has only the permissions that it needs', () => {
    expect(Object.keys(on)).toEqual(['workflow_dispatch']);
    expect(permissions).toEqual({ contents: 'read' });
    for (const name of ['packages', 'image']) {
      expect(jobs[name]).toMatchObject({ needs: 'verify', environment: 'release' });
      expect(jobs[name].permissions['id-token']).toBe('write');
    }
    expect(jobs.verify.permissions).toBeUndefined();
  });

  it('publishes the tag with provenance and an SBOM', () => {
    for (const { steps } of Object.values<{ steps: { uses?: string; with?: { ref?: string } }[] }>(jobs)) {
      expect(steps[0]?.uses).toBe('actions/checkout@v5');
      expect(steps[0]?.with?.ref).toMatch(/^refs\/tags\/\$\{\{ inputs\.tag \}\}$/);
    }
    const text = JSON.stringify(jobs);
    expect(text).toContain('"NPM_CONFIG_PROVENANCE":"true"');
    expect(text).toContain('npm sbom --sbom-format cyclonedx');
    expect(text).toContain('"sbom":true,"provenance":"mode=max"');
    // An input is never part of a script: it could contain commands.
    for (const { steps } of Object.values<{ steps: { run?: string }[] }>(jobs)) {
      for (const { run = '' } of steps) expect(run).not.toContain('${{');
    }
  });

  it('gives npm the name of the variable with the token, for the registry that npm is configured with', () => {
    const { steps } = jobs.packages as { steps: { name?: string; run?: string }[] };
    const script = steps.find(({ name }) => name === 'Let npm publish with the token')?.run ?? '';
    const home = mkdtempSync(join(tmpdir(), 'keyfront-release-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      npm_config_registry: 'https://packages.example/npm/',
      NODE_AUTH_TOKEN: 'secret',
    };
    execFileSync('bash', ['-e', '-c', script], { cwd: home, env });
    expect(readFileSync(join(home, '.npmrc'), 'utf8')).toMatch(
      /^\/\/packages\.example\/npm\/:_authToken=\$\{NODE_AUTH_TOKEN\}\n$/,
    );
  });
});
