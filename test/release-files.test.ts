import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
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
});
