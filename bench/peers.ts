import type { Postgres } from '../scripts/postgres.ts';
import { openCluster, openFilledDatabase, runStatements, withQuery } from './api/benchDatabase.ts';
import { type MeasuredCall, tokenOf } from './api/call.ts';
import { createCalls } from './api/calls.ts';
import { worldTables } from './api/fill.sql.ts';
import { bearerHeaders, type ConnectionOptions, median, openConnection } from './api/load.ts';
import { COMPILE_WARM_UP_S, CONNECTIONS, measureCall, medianOf, type Round } from './api/measure.ts';
import { type MeasuredProcess, measureProcess, startCardNetwork, startProduct, stopProcess } from './api/product.ts';
import { createReference, measureReference } from './api/reference.ts';
import { printTable, writeResults } from './api/results.ts';
import { readTreeCpuUs } from './live/processCpu.ts';
import { MEDUSA } from './peers/medusa.ts';
import { PARSE } from './peers/parse.ts';
import {
  countRows,
  installPeer,
  LINES,
  type LineName,
  newPhone,
  type Peer,
  questionOf,
  startPeer,
} from './peers/peer.ts';
import { VENDURE } from './peers/vendure.ts';
import { addCleanup, createTempFolder, log, readOption, readSizes, runBench } from './run.ts';

const PEERS: readonly Peer[] = [PARSE, VENDURE, MEDUSA];
/** How many answers of each line are read, before the first round and after the last. */
const CHECKS = 20;
const LIST_ROWS = 10;

/** A program that runs, with a call for each line that it can answer. */
type Contestant = {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly connection: Required<Pick<ConnectionOptions, 'base' | 'headersOf'>>;
  readonly process: MeasuredProcess;
  readonly calls: ReadonlyMap<LineName, { readonly call: MeasuredCall; readonly answerPath: string }>;
};

/** Our calls, by the names that they have in the benchmark of the API, and where their answers have what was asked for. */
const OURS: Readonly<Record<LineName, { readonly call: string; readonly answerPath: string }>> = {
  me: { call: 'session check', answerPath: 'user' },
  'order detail': { call: 'order detail', answerPath: 'id' },
  'list of orders': { call: 'list of orders', answerPath: 'data.items' },
  'list, other fields': { call: 'list, other fields', answerPath: 'data.items' },
  'list, whole': { call: 'list, whole', answerPath: 'data.items' },
  'nearby scrubs': { call: 'nearby scrubs', answerPath: '' },
  'update of a profile': { call: 'session check', answerPath: 'id' },
};

const updateProfile = () => ({ method: 'POST' as const, path: '/profile', body: { phone: newPhone() } });

/** Our call of each line. The peers get the same samples. */
async function findOurCalls(url: string): Promise<Map<LineName, MeasuredCall>> {
  const calls = await withQuery(url, createCalls);
  return new Map(
    LINES.map((line) => {
      const call = calls.find(({ name }) => name === OURS[line].call);
      if (!call) throw new Error(`there is no call ${OURS[line].call}`);
      return [line, line === 'update of a profile' ? { ...call, toRequest: updateProfile } : call];
    }),
  );
}

async function startOurs(url: string, ours: ReadonlyMap<LineName, MeasuredCall>): Promise<Contestant> {
  const cards = await startCardNetwork();
  addCleanup(cards.close);
  const product = await startProduct({ DATABASE_URL: url, DATA_DIR: createTempFolder(), ...cards.env });
  addCleanup(product.stop);
  const calls = new Map([...ours].map(([line, call]) => [line, { call, answerPath: OURS[line].answerPath }]));
  const connection = { base: '/api', headersOf: bearerHeaders };
  return { name: 'Rubadub', host: product.host, port: product.port, connection, process: product, calls };
}

/** Starts a peer on its own database, with the people and the orders of our world. */
async function startContestant(
  peer: Peer,
  { cluster, url, people, ours }: { cluster: Postgres; url: string; people: number; ours: Map<LineName, MeasuredCall> },
): Promise<Contestant> {
  const folder = installPeer(peer);
  const database = `peer_${peer.name.toLowerCase()}`;
  await runStatements(cluster.url, [`drop database if exists ${database}`]);
  const peerUrl = await cluster.createDatabase(database);
  log(`${peer.name} starts and its tables are filled ...`);
  const { child, host, port } = await startPeer(peer, folder, peerUrl);
  addCleanup(() => stopProcess(child));
  await runStatements(peerUrl, worldTables(people));
  await runStatements(peerUrl, ["set session_replication_role = 'replica'", ...peer.fill], true);
  await runStatements(peerUrl, ['vacuum (analyze, freeze)']);
  const places = await withQuery(url, (query) =>
    query<{ n: string; latitude: number; longitude: number }>(
      `select n, latitude, longitude from bench.people where role = 'Bud'`,
    ),
  );
  const placeOf = new Map(places.map(({ n, latitude, longitude }) => [n, [latitude, longitude] as const]));
  const calls: [LineName, { call: MeasuredCall; answerPath: string }][] = [];
  for (const [name, { samples }] of ours) {
    const line = peer.lines[name];
    if (!line) continue;
    const toRequest: MeasuredCall['toRequest'] = (sample) => line.toRequest(questionOf(sample, placeOf));
    calls.push([
      name,
      { call: { name: `${name} of ${peer.name}`, status: 200, samples, toRequest }, answerPath: line.answerPath },
    ]);
  }
  return {
    name: peer.name,
    host,
    port,
    connection: peer.connection,
    process: measureProcess(child),
    calls: new Map(calls),
  };
}

/** Reads some answers of a line. Throws unless they have as many rows as expected. */
async function checkAnswers({ name, host, port, connection, calls }: Contestant, line: LineName): Promise<void> {
  const found = calls.get(line);
  if (!found) return;
  const { call, answerPath } = found;
  const rows: number[] = [];
  for (const sample of call.samples.slice(0, CHECKS)) {
    const { method = 'GET', path, body } = call.toRequest(sample);
    const response = await fetch(`http://${host}:${port}${connection.base}${path}`, {
      method,
      headers: { ...connection.headersOf(tokenOf(sample)), 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    rows.push(countRows(JSON.parse(text), answerPath));
    const isGood = line === 'nearby scrubs' || rows.at(-1) === (line.startsWith('list') ? LIST_ROWS : 1);
    if (response.status !== call.status || !isGood)
      throw new Error(`${name}, ${line}: ${response.status} with ${rows.at(-1)} rows: ${text.slice(0, 500)}`);
  }
  const mean = rows.reduce((sum, count) => sum + count, 0) / rows.length;
  if (mean < 1) throw new Error(`${name}, ${line}: ${mean} rows on average`);
  log(`${name}, ${line}: ${mean} rows`);
}

/** Counts PostgreSQL's CPU time as the program's, because a program may leave more of the work to it. */
function measureWithDatabase(process: MeasuredProcess, databasePid: number): MeasuredProcess {
  let before = 0;
  const readDatabase = () => readTreeCpuUs(databasePid) ?? 0;
  return {
    ...process,
    startMeasuring: async () => {
      await process.startMeasuring();
      before = readDatabase();
    },
    stopMeasuring: async () => {
      const database = readDatabase() - before;
      const usage = await process.stopMeasuring();
      return { ...usage, cpuUs: usage.cpuUs + database };
    },
  };
}

async function measureLine(contestant: Contestant, line: LineName, seconds: number): Promise<Round | undefined> {
  const call = contestant.calls.get(line)?.call;
  if (!call) return undefined;
  // Opened each time: the peers close connections that were not used for five seconds.
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(contestant.host, contestant.port, contestant.connection)),
  );
  try {
    return await measureCall(call, { connections, product: contestant.process, seconds, reset: async () => {} });
  } finally {
    for (const connection of connections) connection.close();
  }
}

// npm run bench:peers -- 10k --rounds=5 --seconds=1 --only=parse
async function run(): Promise<void> {
  const args = process.argv.slice(2);
  const [people = 10_000] = readSizes(args);
  const [rounds, seconds] = [Number(readOption(args, 'rounds', '5')), Number(readOption(args, 'seconds', '1'))];
  const only = readOption(args, 'only', '').toLowerCase();
  const peers = PEERS.filter(({ name }) => name.toLowerCase().includes(only));
  const cluster = await openCluster();
  addCleanup(cluster.stop);
  const url = await openFilledDatabase(cluster, people);
  const ours = await findOurCalls(url);
  const started = [await startOurs(url, ours)];
  for (const peer of peers) started.push(await startContestant(peer, { cluster, url, people, ours }));
  const contestants = started.map((one) => ({ ...one, process: measureWithDatabase(one.process, cluster.pid()) }));
  await createReference(url);
  const checkAll = async () => {
    for (const line of LINES) for (const contestant of contestants) await checkAnswers(contestant, line);
  };
  await checkAll();
  log('warming up ...');
  for (const line of LINES)
    for (const contestant of contestants) await measureLine(contestant, line, COMPILE_WARM_UP_S);
  const results: { line: LineName; name: string; round: Round; times: number; cpuTimes: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    log(`round ${round + 1} of ${rounds} ...`);
    const reference = await measureReference(url, seconds);
    for (const line of LINES) {
      let own: Round | undefined;
      for (const contestant of contestants) {
        const measured = await measureLine(contestant, line, seconds);
        if (!measured) continue;
        own ??= measured;
        const result = { ...measured, toReference: measured.perSecond / reference };
        const times = own.perSecond / measured.perSecond;
        const cpuTimes = measured.cpuUs / own.cpuUs;
        results.push({ line, name: contestant.name, round: result, times, cpuTimes });
      }
    }
  }
  await checkAll();
  const rows = LINES.flatMap((line) =>
    contestants.flatMap(({ name, calls }) => {
      const found = results.filter((result) => result.line === line && result.name === name);
      if (!calls.has(line)) return [];
      const times = median(found.map((result) => result.times));
      const cpuTimes = median(found.map((result) => result.cpuTimes));
      return [{ name: `${line}, ${name}`, ...medianOf(found.map((result) => result.round)), times, cpuTimes }];
    }),
  );
  printTable(`${people.toLocaleString('en')} people, PostgreSQL, beside other programs`, rows);
  if (only !== '') return;
  const versions = Object.fromEntries(peers.map(({ name, packages }) => [name, Object.values(packages)[0] ?? '']));
  writeResults({ people, database: 'peers', rounds, seconds, ...versions }, rows);
}

runBench(run);
