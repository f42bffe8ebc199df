import { askPage, type InputSource, type PageRequest, type Tab } from './tab.ts';

const CONTROL = '\uE009'; // The codes of keys: https://w3c.github.io/webdriver/#keyboard-actions

type Kind = Extract<PageRequest, { kind: unknown }>['kind'];

/** Somebody who uses the app with a mouse and a keyboard. */
export type Person = {
  readonly goto: (url: string) => Promise<void>;
  readonly click: (kind: Kind, name: string, options?: { readonly exact?: boolean }) => Promise<void>;
  /** Replaces the text of a field. */
  readonly fill: (name: string, text: string) => Promise<void>;
  /** Waits until the page shows the words. */
  readonly see: (...words: readonly string[]) => Promise<void>;
  /** Waits until the app is at this route, such as '#/bud/dashboard'. */
  readonly arriveAt: (route: string) => Promise<void>;
  readonly valueOf: (field: string) => Promise<string>;
  /** How many pixels the page is wider than the window. */
  readonly measureOverflow: () => Promise<number>;
  /** The errors of the page's scripts since the last `goto`. */
  readonly readErrors: () => Promise<readonly string[]>;
};

// A live update can move a button away from under the mouse. A person who misses it clicks again.
const MAX_CLICKS = 5;

const COLLECT_ERRORS = `window.scriptErrors = [];
  addEventListener('error', ({ message }) => scriptErrors.push(String(message)));
  addEventListener('unhandledrejection', ({ reason }) => scriptErrors.push(String(reason)));
  return '';`;
const OVERFLOW = 'return String(document.documentElement.scrollWidth - document.documentElement.clientWidth);';

export function createPerson(tab: Tab): Person {
  // Two quick clicks on one spot are a double click, and the buttons of steps ignore its second half.
  let offset = 6;
  const clickOnce = async (kind: Kind, name: string, exact: boolean) => {
    const { x, y } = await askPage<{ x: number; y: number }>(tab, { want: 'point', kind, name, exact });
    offset = -offset;
    await tab.perform([clickAt({ x: x + offset, y })]);
    return askPage<boolean>(tab, { want: 'hit' });
  };
  const click = async (kind: Kind, name: string, { exact = true } = {}) => {
    for (let attempt = 0; attempt < MAX_CLICKS; attempt += 1) if (await clickOnce(kind, name, exact)) return;
    throw new Error(`every click missed the ${kind} "${name}"`);
  };
  return {
    goto: async (url) => {
      await tab.goto(url);
      await tab.run(COLLECT_ERRORS, '');
    },
    click,
    fill: async (name, text) => {
      await click('field', name);
      await tab.perform([{ type: 'key', id: 'keyboard', actions: [...selectAll(), ...typeText(text)] }]);
    },
    see: async (...words) => {
      for (const name of words) await askPage(tab, { want: 'text', name });
    },
    arriveAt: (name) => askPage(tab, { want: 'address', name }),
    valueOf: (name) => askPage<string>(tab, { want: 'value', kind: 'field', name }),
    measureOverflow: async () => Number(await tab.run(OVERFLOW, '')),
    readErrors: async () => JSON.parse(await tab.run('return JSON.stringify(scriptErrors);', '')) as string[],
  };
}

const clickAt = ({ x, y }: { x: number; y: number }): InputSource => ({
  type: 'pointer',
  id: 'mouse',
  actions: [
    { type: 'pointerMove', x, y, duration: 0 },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ],
});

const keyDown = (value: string) => ({ type: 'keyDown', value });
const keyUp = (value: string) => ({ type: 'keyUp', value });
const selectAll = () => [keyDown(CONTROL), keyDown('a'), keyUp('a'), keyUp(CONTROL)];
const typeText = (text: string) => [...text].flatMap((letter) => [keyDown(letter), keyUp(letter)]);
