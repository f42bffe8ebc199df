import { CALL_COMMANDS, type CallCommand, toKebab, usageOf } from './callCommand.ts';

const WIDTH = 26;

const INTRODUCTION = `npm run operator -- <command> <what it is about> --field value

  Works while the server runs, and while it does not. Every command is a call of the console. What changes something is written
  into the audit: say who you are with --as <your e-mail as an operator>, and why with --reason <text>. Your rights and limits
  hold, and what needs a second operator waits for one: "list-approvals" shows it, "approve <id>" approves it. Before there are
  operators, --as is left out. An order is its number, like R-1042, or its id; a case is its number; an operator their e-mail.
  A list is comma-separated words, or JSON; a place is 40.7,-74; "none" is nothing. "help <command>" shows its fields.

  ${'invite <e-mail>'.padEnd(WIDTH)} a link for the first operator, mailed and printed`;

const lineOf = ({ command, words, call }: CallCommand): string =>
  `  ${[command, ...words.map((word) => `<${word}>`)].join(' ').padEnd(WIDTH)} ${call.summary}`;

/** Every command, made from the calls of the console; or one with its fields. */
export function helpOf(name: string | undefined): string {
  const command = name === undefined ? undefined : CALL_COMMANDS.get(name);
  if (command) return helpOfCall(command);
  const all = [...CALL_COMMANDS.values()];
  const [acts, others] = [all.filter(({ call }) => call.act), all.filter(({ call }) => !call.act)];
  return [INTRODUCTION, '', 'Acts:', ...acts.map(lineOf), '', 'Reading, and deciding:', ...others.map(lineOf)].join(
    '\n',
  );
}

function helpOfCall(command: CallCommand): string {
  const fields = command.fields.map(({ name, kind, options, isRequired, description }) => {
    const values = options.length > 0 ? options.join('|') : kind === 'other' ? 'JSON' : kind;
    const option = kind === 'flag' ? `--${toKebab(name)}` : `--${toKebab(name)} <${values}>`;
    return `  ${option.padEnd(WIDTH)} ${[isRequired ? '' : '(may be left out)', description].filter(Boolean).join(' ')}`.trimEnd();
  });
  return [usageOf(command), `  ${command.call.summary}`, ...fields].join('\n');
}
