// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const STREAM = 'server/operator/todayStream.test.ts';
const HUB = 'server/operator/todayHub.test.ts';

/** Bugs in how Today stays live. */
export const TODAY_BUGS: readonly PlantedBug[] = [
  {
    bug: 'consoles do not hear of the steps of orders',
    file: 'server/operator/todayChanges.sql.ts',
    find: 'hasChanged: hasEvents || !isSame',
    replace: 'hasChanged: !isSame',
    suite: STREAM,
  },
  {
    bug: 'each event is a message to each console',
    file: 'server/operator/todayHub.ts',
    find: '    isResting = hasChanged;',
    replace: '',
    suite: HUB,
  },
  {
    bug: 'the stream of an operator who has left stays open',
    file: 'server/operator/todayChanges.sql.ts',
    find: '${isLiveOperatorSession(time)}\n        and exists',
    replace: 'exists',
    suite: STREAM,
  },
  {
    bug: 'a stream is counted forever when its client hangs up during authentication',
    file: 'server/events/streamResponse.ts',
    find: '  if (reply.raw.destroyed) {\n    reply.hijack();\n    return false;\n  }\n',
    replace: '',
    suite: 'server/events/abortedStreams.test.ts',
  },
  {
    bug: 'a console gets no changes, because the one before it left early',
    file: 'server/operator/todayHub.ts',
    find: '      if (watchers.size === 0) mark = undefined;\n',
    replace: '',
    suite: HUB,
  },
  {
    bug: 'a slow database is asked about sessions again and again',
    file: 'server/operator/todayHub.ts',
    find: 'open.length === 0 || isChecking',
    replace: 'open.length === 0',
    suite: HUB,
  },
  {
    bug: 'a change that comes while a console reads Today is not read',
    file: 'web/operator/today/serialRefetch.ts',
    find: '    while (isAsked) {',
    replace: '    if (isAsked) {',
    suite: 'web/operator/today/serialRefetch.test.ts',
  },
  {
    bug: 'each console that reads Today makes the database work',
    file: 'server/operator/sharedRead.ts',
    find: '    if (!running) return run();',
    replace: '    if (!next) return run();',
    suite: 'server/operator/sharedRead.test.ts',
  },
];
