import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { QUEUE_LATE_AFTER_MS } from '../../domain/workQueues.ts';
import { ROOT } from '../../scripts/build.ts';
import { findDebianProgram } from '../../testing/debianProgram.ts';
import { addMetrics } from './metrics.ts';

const FOLDER = join(ROOT, 'deploy', 'prometheus');
const ALERTS = readFileSync(join(FOLDER, 'alerts.yml'), 'utf8');
const DASHBOARD = JSON.parse(readFileSync(join(ROOT, 'deploy', 'grafana', 'rubadub.json'), 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};
const EXPRESSIONS = DASHBOARD.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const promtool = findDebianProgram('/usr/bin/promtool', 'prometheus');

test('alerts and the dashboard read only what a server says', () => {
  const registry = new Registry();
  addMetrics(registry, {
    readFigures: () => Promise.reject(new Error('nobody asks')),
    log: undefined as never,
    waiting: () => ({ reads: 0, steps: 0 }),
    countStreams: () => 0,
    thirdParties: {},
  });
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  const read = [ALERTS, ...EXPRESSIONS].join('\n').match(/\b(?:rubadub|nodejs|process)_\w+/g) ?? [];
  const unknown = read.filter(
    (name) => !names.includes(name.replace(/_(?:bucket|count|sum)$/, '')) && !names.includes(name),
  );
  expect(unknown).toEqual([]);
  expect(read.length).toBeGreaterThan(15);
});

test('a queue is late for Prometheus when it is late on Today', () => {
  expect(ALERTS).toContain(`max by (queue) (rubadub_queue_age_seconds) > ${QUEUE_LATE_AFTER_MS / 1000}\n`);
});

test('the runbook has a paragraph about each alert', () => {
  const runbook = readFileSync(join(ROOT, 'docs', 'operating.md'), 'utf8');
  const alerts = [...ALERTS.matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  expect(alerts.length).toBeGreaterThan(5);
  expect(alerts.filter((name) => !runbook.includes(`**${name}.**`))).toEqual([]);
});

test.skipIf(promtool === undefined)(
  'Prometheus accepts the rules, the configuration and every expression of the dashboard',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'rubadub-prometheus-'));
    try {
      const rules = EXPRESSIONS.map((expr, index) => ({ record: `panel:${index}`, expr }));
      const file = join(folder, 'dashboard.yml');
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
      const run = (...args: string[]) => execFileSync(promtool ?? '', args, { encoding: 'utf8' });
      expect(run('check', 'rules', join(FOLDER, 'alerts.yml'), file)).toContain('SUCCESS');
      expect(run('check', 'config', join(FOLDER, 'prometheus.yml'))).toContain('SUCCESS');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
