import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An input action as WebDriver and WebDriver BiDi both define it: https://w3c.github.io/webdriver/#actions */
export type InputSource =
  | { readonly type: 'pointer'; readonly id: string; readonly actions: readonly object[] }
  | { readonly type: 'key'; readonly id: string; readonly actions: readonly object[] };

/** What both protocols can do. Everything else is built on it. */
export type Tab = {
  readonly goto: (url: string) => Promise<void>;
  /** Runs the body of an async function in the page. `argument` is its only argument; it returns a string. */
  readonly run: (body: string, argument: string) => Promise<string>;
  readonly perform: (sources: readonly InputSource[]) => Promise<void>;
};

/** A real browser that is not Chromium. Every tab has cookies and storage of its own. */
export type OtherBrowser = {
  readonly name: string;
  readonly openTab: () => Promise<Tab>;
  readonly close: () => Promise<void>;
};

export const WINDOW = { width: 390, height: 844 } as const;

/** What pageScript.js looks for. */
export type PageRequest =
  | {
      readonly want: 'point' | 'value';
      readonly kind: 'button' | 'link' | 'field' | 'option';
      readonly name: string;
      readonly exact?: boolean;
    }
  | { readonly want: 'text' | 'address'; readonly name: string }
  /** Whether the click after the last `point` met its element. */
  | { readonly want: 'hit' };

const PAGE_SCRIPT = readFileSync(join(import.meta.dirname, 'pageScript.js'), 'utf8');

/** Asks pageScript.js. Fails with what the page shows if nothing is found. */
export async function askPage<T>(tab: Tab, request: PageRequest): Promise<T> {
  const body = `${PAGE_SCRIPT}\nreturn JSON.stringify(await answer(JSON.parse(arguments[0])));`;
  const { value, error } = JSON.parse(await tab.run(body, JSON.stringify(request))) as { value?: T; error?: string };
  if (error !== undefined) throw new Error(error);
  return value as T;
}
