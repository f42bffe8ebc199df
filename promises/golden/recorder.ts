import { createNames, type Names } from './names.ts';

/** What a build answered in one life, as lines that are equal for equal builds. */
export type Recorder = {
  readonly lines: string[];
  readonly names: Names;
  /** A call that may change something, with its whole answer. */
  readonly noteCall: (who: string, call: string, input: unknown, outcome: unknown) => void;
  /** Something that is read again and again: its whole answer once, then only what has changed. */
  readonly noteRead: (who: string, call: string, input: unknown, outcome: unknown) => void;
  readonly note: (line: string) => void;
  /** What only a busy machine does, such as a call that waited too long. */
  readonly noteTrouble: (what: string) => void;
  readonly hadTrouble: () => boolean;
};

/** Each value in a JSON value by its path. */
function flatten(value: unknown, path = ''): [string, string][] {
  const isEmpty = value === null || typeof value !== 'object' || Object.keys(value).length === 0;
  if (isEmpty) return [[path, JSON.stringify(value) ?? 'undefined']];
  return Object.entries(value).flatMap(([key, child]) => flatten(child, path === '' ? key : `${path}.${key}`));
}

function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const changed = [...after].filter(([path, value]) => before.get(path) !== value);
  const gone = [...before.keys()].filter((path) => !after.has(path));
  return [...changed.map(([path, value]) => `${path} ${value}`), ...gone.map((path) => `${path} is gone`)];
}

export function createRecorder(): Recorder {
  const lines: string[] = [];
  const names = createNames();
  const lastReads = new Map<string, ReadonlyMap<string, string>>();
  const textOf = (value: unknown, kind: string) => JSON.stringify(names.replaceIn(value, kind)) ?? '';
  const note = (line: string) => lines.push(names.replaceInText(line));
  let hadTrouble = false;
  return {
    lines,
    names,
    note,
    noteTrouble: (what) => {
      hadTrouble = true;
      note(`trouble: ${what}`);
    },
    hadTrouble: () => hadTrouble,
    noteCall: (who, call, input, outcome) =>
      lines.push(`${who} ${call} ${textOf(input, kindOfCall(call))} → ${textOf(outcome, kindOfCall(call))}`),
    noteRead: (who, call, input, outcome) => {
      const what = `${who} ${call} ${textOf(input, kindOfCall(call))}`;
      const answer = new Map(flatten(names.replaceIn(outcome, kindOfCall(call))));
      const before = lastReads.get(what);
      if (!before) lines.push(`${what} → ${textOf(outcome, kindOfCall(call))}`);
      else for (const change of changesOf(before, answer)) lines.push(`${what} → ${change}`);
      lastReads.set(what, answer);
    },
  };
}

const CALL_KINDS = [
  [/file|photo/i, 'file'],
  [/case|answer|contest/i, 'case'],
  [/deliver|collect|pickup|drop|accept-delivery/i, 'delivery'],
  [/order/i, 'order'],
] as const;
/** What the ids in a call are usually of. */
const kindOfCall = (call: string): string => CALL_KINDS.find(([pattern]) => pattern.test(call))?.[1] ?? 'id';
