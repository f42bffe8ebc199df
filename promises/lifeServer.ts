// The second server of random lives: a process of its own, which does what the first one tells it.

import { openTestServer, type SharedResources } from '../testing/testServer.ts';
import { answerQuestion, type Question } from './lifeServers.ts';

const beside = JSON.parse(process.argv[2] ?? '') as { databaseUrl: string; shared: SharedResources };
const server = await openTestServer('postgres', { beside });

process.on(
  'message',
  (question: Question) => void answerQuestion(server, question).then((answer) => process.send?.(answer)),
);
process.on('disconnect', () => void server.close());
process.send?.(server.apiUrl);
