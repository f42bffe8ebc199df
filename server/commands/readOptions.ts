import { CommandError, errorCodeOf, errorMessageOf } from './commandError.ts';

/** Writes `--longitude -73.9` as `--longitude=-73.9`. Otherwise `parseArgs` takes a negative number for an option. */
export function joinNegativeNumbers(typed: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of typed) {
    const option = joined.at(-1) ?? '';
    if (/^-\.?\d/.test(word) && /^--[^=]+$/.test(option)) joined.splice(-1, 1, `${option}=${word}`);
    else joined.push(word);
  }
  return joined;
}

/** What `parse` reads with `parseArgs`. What this refuses, the operator reads in one sentence. */
export function readOptions<T>(parse: () => T, usage = 'npm run operator -- help'): T {
  try {
    return parse();
  } catch (error) {
    throw errorCodeOf(error).startsWith('ERR_PARSE_ARGS_') ? new CommandError(describeProblem(error, usage)) : error;
  }
}

function describeProblem(error: unknown, usage: string): string {
  const message = errorMessageOf(error);
  const option = /'(-[^\s']*)/.exec(message)?.[1];
  if (option === undefined) return message;
  if (errorCodeOf(error) === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return `there is no option ${option}: "${usage}" shows them`;
  if (message.includes('does not take')) return `${option} takes no value`;
  const hint = message.includes('ambiguous') ? `. One that begins with a dash is written ${option}=-…` : '';
  return `${option} needs a value after it${hint}`;
}
