import type { Cap } from '../domain/operators.ts';
import { createOperator, type TestOperator } from '../testing/operators.ts';
import { DESKTOP, type Visitor, type VisitorOptions } from './journey.ts';
import { type SituationTest, testUnderPreset } from './situations/town.ts';

/** A browser of an operator who is signed in to the console. */
type OpenConsole = (operator: TestOperator, path: string, options?: VisitorOptions) => Promise<Visitor>;
type AddOperator = (fullname: string, caps?: readonly Cap[]) => Promise<TestOperator>;

/** The cookie of a session, and the mark that tells the console of it. */
const SESSION = 'rubadub-operator';

/** Journeys of the console, in the town of `base`. */
export const consoleIn = (base: SituationTest) =>
  base.extend<{ openConsole: OpenConsole; addOperator: AddOperator }>({
    addOperator: async ({ town }, use) => {
      await use((fullname, caps) => createOperator(town.testServer, { fullname, ...(caps ? { caps } : {}) }));
    },
    openConsole: async ({ openVisitor, town }, use) => {
      await use(async ({ token }, path, options = DESKTOP) => {
        const visitor = await openVisitor({ ...options, isMapless: true });
        const where = { domain: new URL(town.url).hostname, path: '/api/operator' };
        await visitor.context.addCookies([
          { name: SESSION, value: token, ...where, httpOnly: true, sameSite: 'Strict' },
        ]);
        await visitor.context.addInitScript(`localStorage['${SESSION}'] ??= 'signed-in'`);
        await visitor.page.goto(`/#/operator/${path}`);
        return visitor;
      });
    },
  });

/** Journeys of the console. They share one town. */
export const test = consoleIn(testUnderPreset('open'));
