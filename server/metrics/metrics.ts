import { createServer, type Server } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Log } from '../log.ts';

// What Prometheus reads of this server, on a port of its own (decision 140). Alerts on it are in deploy/prometheus/.

const PREFIX = 'rubadub_';
const METRICS_PATH = '/metrics';
/** Several servers are asked at once, and each asks the same database. */
const FIGURES_FOR_MS = 5_000;
/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What the database says of the town. Ages in seconds, times in seconds since 1970. */
export type Figures = {
  readonly queues: readonly { readonly queue: string; readonly length: number; readonly ageS: number }[];
  readonly stuck: readonly { readonly kind: string; readonly count: number }[];
  readonly orders: readonly { readonly status: string; readonly count: number }[];
  readonly answerMinutes: number | null;
  /** Of the orders that were completed in the last day, from 0 to 1. */
  readonly onTime: number | null;
  readonly equalAt: number | null;
  /** When `npm run backup` was last run. */
  readonly backupAt: number | null;
  /** What the comparison of the newest day with the card network said; `known` is a difference that an operator has looked at. */
  readonly verdict: { readonly checkedAt: number | null; readonly state: string } | null;
};

export type MetricsParts = {
  readonly readFigures: () => Promise<Figures>;
  readonly log: Log;
  /** How many requests wait for a connection to the database. */
  readonly waiting: () => Readonly<Record<'reads' | 'steps', number>>;
  readonly countStreams: () => number;
  /** Whether each third party does not answer. */
  readonly thirdParties: Readonly<Record<string, { isOpen(): boolean }>>;
};

export type Metrics = {
  /** Call it with every request that was answered. */
  readonly observe: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Answers `/metrics` in Prometheus' text format. It does not listen yet. */
  readonly server: Server;
};

export function createMetrics(parts: MetricsParts): Metrics {
  const registry = new Registry();
  return { observe: addMetrics(registry, parts), server: createMetricsServer(registry, parts.log) };
}

/** Adds everything that a server says. Returns what is to be called with every request that was answered. */
export function addMetrics(registry: Registry, parts: MetricsParts): Metrics['observe'] {
  collectDefaultMetrics({ register: registry });
  measureServer(registry, parts);
  measureTown(registry, parts);
  return observeRequests(registry);
}

function createMetricsServer(registry: Registry, log: Log): Server {
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== METRICS_PATH) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end(`Only ${METRICS_PATH} is here\n`);
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => {
        log.warn({ err: error }, 'the metrics could not be read');
        response.writeHead(500, { 'content-type': 'text/plain' }).end('The metrics could not be read: see the log\n');
      },
    );
  });
}

/** By the call's route, not its address: so many series as there are calls. */
function observeRequests(registry: Registry): Metrics['observe'] {
  const registers = [registry];
  const seconds = new Histogram({
    ...{ name: `${PREFIX}request_seconds`, help: 'How long requests took, by call and status', registers },
    labelNames: ['method', 'call', 'status'],
    buckets: BUCKETS,
  });
  const refusals = new Counter({
    ...{ name: `${PREFIX}refusals_total`, help: 'Requests that were refused, by the code of their error', registers },
    labelNames: ['error'],
  });
  return (request, reply) => {
    const { url = 'unknown' } = request.routeOptions;
    seconds.observe({ method: request.method, call: url, status: reply.statusCode }, reply.elapsedTime / 1000);
    if (reply.refusal !== undefined) refusals.inc({ error: reply.refusal });
  };
}

type SetGauge = (gauge: Gauge) => void | Promise<void>;

/** A figure that is read when Prometheus asks. */
const addGauges = (registry: Registry) => (name: string, help: string, labelNames: string[], set: SetGauge) =>
  new Gauge({
    ...{ name: `${PREFIX}${name}`, help, registers: [registry], labelNames },
    collect() {
      // A label that has no value this time is left out.
      this.reset();
      return set(this);
    },
  });

function measureServer(registry: Registry, { waiting, countStreams, thirdParties }: MetricsParts): void {
  const add = addGauges(registry);
  add('database_waiting', 'Requests that wait for a connection to the database', ['lane'], (gauge) => {
    for (const [lane, count] of Object.entries(waiting())) gauge.set({ lane }, count);
  });
  add('streams', 'Open streams of live events', [], (gauge) => gauge.set(countStreams()));
  add('third_party_away', '1 while a third party does not answer', ['name'], (gauge) => {
    for (const [name, circuit] of Object.entries(thirdParties)) gauge.set({ name }, circuit.isOpen() ? 1 : 0);
  });
}

/** What the database says: of the town, and the same from each of its servers. */
function measureTown(registry: Registry, { readFigures, log }: MetricsParts): void {
  let latest: { readonly at: number; readonly figures: Promise<Figures | undefined> } | undefined;
  const read = () =>
    readFigures().catch((error: unknown) => {
      log.warn({ err: error }, 'the figures of the town could not be read');
      return undefined;
    });
  const figures = () => {
    const at = performance.now();
    if (latest === undefined || at - latest.at > FIGURES_FOR_MS) latest = { at, figures: read() };
    return latest.figures;
  };
  const addGauge = addGauges(registry);
  const add = (name: string, help: string, labelNames: string[], set: (gauge: Gauge, known: Figures) => void) =>
    addGauge(name, help, labelNames, async (gauge) => {
      const known = await figures();
      if (known) set(gauge, known);
    });
  addGauge('database_up', '1 while the database answers', [], async (gauge) => gauge.set((await figures()) ? 1 : 0));
  add('queue_length', 'Work that is due, by queue', ['queue'], (gauge, { queues }) => {
    for (const { queue, length } of queues) gauge.set({ queue }, length);
  });
  add('queue_age_seconds', 'How long the oldest due work of a queue has waited', ['queue'], (gauge, { queues }) => {
    for (const { queue, ageS } of queues) gauge.set({ queue }, ageS);
  });
  add('stuck', 'What waits for an operator, by kind', ['kind'], (gauge, { stuck }) => {
    for (const { kind, count } of stuck) gauge.set({ kind }, count);
  });
  add('open_orders', 'Orders that are open, by status', ['status'], (gauge, { orders }) => {
    for (const { status, count } of orders) gauge.set({ status }, count);
  });
  const addIfKnown = (name: string, help: string, figureOf: (known: Figures) => number | null | undefined) =>
    add(name, help, [], (gauge, known) => {
      const value = figureOf(known);
      if (typeof value === 'number') gauge.set(value);
    });
  addIfKnown(
    'answer_minutes',
    'The median minutes from an order to a yes, of the last day',
    (known) => known.answerMinutes,
  );
  addIfKnown(
    'on_time_ratio',
    'The share of orders that were done within 48 hours of their start, of the last day',
    (known) => known.onTime,
  );
  addIfKnown(
    'reconciled_at_seconds',
    'When a day was last found equal with the card network, since 1970',
    (known) => known.equalAt,
  );
  addIfKnown(
    'ledger_checked_at_seconds',
    'When the newest day was compared with the card network, since 1970',
    ({ verdict }) => verdict?.checkedAt,
  );
  addIfKnown('backup_at_seconds', 'When the last backup was made, since 1970', (known) => known.backupAt);
  add('ledger_verdict', '1 for what the comparison of the newest day said', ['state'], (gauge, { verdict }) => {
    if (verdict) gauge.set({ state: verdict.state }, 1);
  });
}
