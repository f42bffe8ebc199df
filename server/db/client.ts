import { hash } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import type { DatabaseHosts } from '../config/databaseHosts.ts';
import { cacheLatest } from './caches.ts';
import type { Statement } from './driver.ts';

const MAX_NAMED_STATEMENTS = 500;

/**
 * Gives statements names that are made from their text, so that they are the same in every process. A connection pooler that
 * confuses the names of several processes can then only run the same statement.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_NAMED_STATEMENTS) return known;
    const name = hashedName(text);
    names.set(text, name);
    return name;
  };
}

/** The names of this process: a connection has no more of them than that, and MAX_RARE_STATEMENTS. */
const statementNameOf = createStatementNames();

/** How a statement begins that callers choose the text of. They must not use up the names of the others. */
export const RARE_STATEMENT = '/* rare */ ';
/** How many of them a connection keeps prepared: those that were used last. */
const MAX_RARE_STATEMENTS = 20;
const rareNames = cacheLatest<string>(10 * MAX_RARE_STATEMENTS);

const hashedName = (text: string) => `s_${hash('sha256', text, 'base64url')}`;

/** What pg keeps of a connection's prepared statements, by name. */
type StatementsOfConnection = {
  readonly parsedStatements: Record<string, string>;
  close(statement: { type: 'S'; name: string }): void;
};

/**
 * Names every statement with parameters, so that PostgreSQL parses and plans it once per connection. The others take no name:
 * they run once, as those that make the tables, or are cheap to plan, and would use up the names before the first request.
 */
export class NamedStatementClient extends pg.Client {
  /** The one that was used last comes last. */
  readonly #rareNames = new Set<string>();

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's query are not expressible in one override
  override query(...parameters: any[]): any {
    const [text, values, ...rest] = parameters;
    if (typeof text === 'string' && Array.isArray(values) && values.length > 0) {
      const name = this.statementNameOf(text);
      const config = name === undefined ? { text, values } : { name, text, values };
      return (super.query as (...all: unknown[]) => unknown).call(this, config, ...rest);
    }
    return (super.query as (...all: unknown[]) => unknown).apply(this, parameters);
  }

  protected statementNameOf(text: string): string | undefined {
    return text.startsWith(RARE_STATEMENT) ? this.#rareNameOf(text) : statementNameOf(text);
  }

  /** Closes the rare statements that were not used for the longest time, when there are too many. */
  #rareNameOf(text: string): string {
    const name = rareNames(text, () => hashedName(text));
    this.#rareNames.delete(name);
    this.#rareNames.add(name);
    const { connection } = this as unknown as { connection: StatementsOfConnection };
    for (const oldest of [...this.#rareNames].slice(0, -MAX_RARE_STATEMENTS)) {
      // A statement that has not been prepared yet is closed later.
      if (connection.parsedStatements[oldest] === undefined) continue;
      this.#rareNames.delete(oldest);
      delete connection.parsedStatements[oldest];
      connection.close({ type: 'S', name: oldest });
    }
    return name;
  }
}

export type ServerClientOptions = pg.ClientConfig & {
  readonly hosts: DatabaseHosts;
  /** False behind a connection pooler that does not keep the names of statements. */
  readonly namesStatements: boolean;
  /** A connection whose statement gets no answer in this time is closed. */
  readonly answerTimeoutMs?: number;
  /** Called with each new client, before it connects. */
  readonly onCreated?: (client: ServerClient) => void;
  /** Called when the server at `url` turns out not to be the primary any more. */
  readonly onDemoted: (url: string, why: string) => void;
};

const READ_ONLY_SQL_STATE = '25006';

/**
 * A connection to a PostgreSQL server. It closes when a statement gets no answer in time: a database that hangs cannot
 * report its own timeout, and a connection with an abandoned statement must not go back to the pool.
 */
export class ServerClient extends NamedStatementClient {
  readonly #options: ServerClientOptions;
  /** The host that it is connected to. */
  readonly url: string;
  #isAbandoned = false;
  #answeredAt = 0;

  constructor(options: ServerClientOptions) {
    const url = options.hosts.url();
    // It sends statements before it has the answers of earlier ones.
    super({ ...options, pipeline: true, connectionString: url });
    this.#options = options;
    this.url = url;
    options.onCreated?.(this);
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's overloads with and without a callback
  override connect(callback?: any): any {
    const connected = super.connect().catch((error: unknown) => {
      this.#options.hosts.skip(this.url);
      throw error;
    });
    if (!callback) return connected;
    connected.then(() => callback(null, this), callback);
  }

  /** Fails on a standby, when the URL asks for a server that can write. The next connection tries the next host. */
  async checkWritable(): Promise<void> {
    if (!this.#options.hosts.mustWrite) return;
    const { rows } = await this.query('show transaction_read_only');
    if (rows[0]?.transaction_read_only !== 'on') return;
    this.#options.hosts.skip(this.url);
    throw new Error('Connection terminated: this host is read-only');
  }

  /** Closes the connection at once. Its statement fails. */
  abandon(why: string): void {
    this.#isAbandoned = true;
    this.#connection.stream.destroy(new Error(`Connection terminated: ${why}`));
  }

  get #connection(): { readonly stream: Socket } {
    return (this as unknown as { connection: { stream: Socket } }).connection;
  }

  /** Whether it was closed because the database did not answer. */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /**
   * A primary that another one has replaced unknown to it still reads, but its commits wait without end for a replica. So
   * where there are other hosts, a statement without an answer says that this one is lost.
   */
  #giveUp(): void {
    const { hosts, onDemoted } = this.#options;
    this.abandon('no answer');
    if (hosts.hasOthers) onDemoted(this.url, 'no answer');
  }

  /** Gives up when there is no answer in time. On a pipelined connection the time begins with the answer before. */
  #watchForAnswer(): () => void {
    const { answerTimeoutMs } = this.#options;
    if (answerTimeoutMs === undefined) return () => {};
    const sentAt = performance.now();
    let isAnswered = false;
    let timer: NodeJS.Timeout | undefined;
    const check = () => {
      const leftMs = Math.max(sentAt, this.#answeredAt) + answerTimeoutMs - performance.now();
      if (leftMs > 0) timer = setTimeout(check, leftMs);
      // After a pause of this process, the answer may have come without having been read yet.
      else setImmediate(() => isAnswered || this.#giveUp());
    };
    check();
    return () => {
      isAnswered = true;
      this.#answeredAt = performance.now();
      clearTimeout(timer);
    };
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  override query(...parameters: any[]): any {
    const answer = super.query(...parameters);
    if (!(answer instanceof Promise)) return answer;
    const { onDemoted } = this.#options;
    const stopWaiting = this.#watchForAnswer();
    answer.then(stopWaiting, (error: { code?: string }) => {
      stopWaiting();
      if (error.code === READ_ONLY_SQL_STATE) onDemoted(this.url, 'the server is read-only');
    });
    return answer;
  }

  /** Sends statements at once, before the first answer. */
  queryTogether(statements: readonly Statement[]): Promise<pg.QueryResult>[] {
    const { stream } = this.#connection;
    stream.cork();
    const answers = statements.map(({ sql, parameters }) => this.query(sql, [...parameters]));
    stream.uncork();
    return answers;
  }

  protected override statementNameOf(text: string): string | undefined {
    return this.#options.namesStatements ? super.statementNameOf(text) : undefined;
  }
}

// The message of pg's pool when a request has waited too long for a connection.
const QUEUE_TIMEOUT = /^timeout exceeded when trying to connect/;

/** Opens a connection; when a host is away or cannot write, to each of the others. */
export async function tryEachHost<T>(hosts: DatabaseHosts, connect: () => Promise<T>): Promise<T> {
  for (let left = hosts.count; ; left -= 1) {
    try {
      return await connect();
    } catch (error) {
      if (left <= 1 || QUEUE_TIMEOUT.test((error as Error).message)) throw error;
    }
  }
}
