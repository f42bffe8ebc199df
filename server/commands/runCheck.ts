import { readConfig } from '../config/config.ts';
import type { Tx } from '../db/database.ts';
import type { CheckResult } from './checks.ts';
import { openCommandClient } from './commandClient.ts';
import { describeError } from './commandError.ts';
import { commandSocketOf, isAnswered } from './commandSocketPath.ts';
import { openDatabase } from './openDatabase.ts';

type Env = Record<string, string | undefined>;

type Check = {
  /** The script in package.json, which the running server knows as a command. */
  readonly name: 'ledger:check' | 'tallies:check';
  readonly words?: readonly string[];
  readonly run: (db: Tx) => Promise<CheckResult>;
};

/** Runs a check and ends this process: with 0 when all is right, 1 when something is wrong, and 2 when nobody knows. */
export async function runCheck(check: Check, env: Env): Promise<never> {
  try {
    const { text, problems } = await readResult(check, env);
    if (text !== '') console.log(text);
    for (const problem of problems) console.error(problem);
    process.exit(problems.length === 0 ? 0 : 1);
  } catch (error) {
    console.error(`rubadub ${check.name}: ${describeError(error)}`);
    process.exit(2);
  }
}

/** Only one process can use an embedded database, so the server that uses it runs the check. */
async function readResult({ name, words = [], run }: Check, env: Env): Promise<CheckResult> {
  const { databaseUrl, dataDir } = readConfig(env);
  if (databaseUrl === undefined && (await isAnswered(commandSocketOf(dataDir)))) {
    const client = await openCommandClient(env, undefined);
    const { problems = [], ...result } = await client.run({ name, words: [...words] });
    return { ...result, problems };
  }
  const database = await openDatabase(env);
  try {
    return await run(database.db);
  } finally {
    await database.close();
  }
}
