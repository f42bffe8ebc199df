import { type ElementType, Fragment, type Key, type ReactElement } from 'react';
import * as dev from 'react/jsx-dev-runtime';
import * as react from 'react/jsx-runtime';

// The screens are built with this in place of React's own (scripts/vite/textElements.ts). React keeps a text that stands beside
// other nodes as a node of its own. Translators of browsers replace such nodes: then React changes a text that nobody sees, or
// looks for a node that is gone. A text that is alone in its element is safe, because React writes it into the element.

type Props = { readonly children?: unknown };

const isText = (child: unknown): child is string | number => typeof child === 'string' || typeof child === 'number';
const isNothing = (child: unknown) => child === null || child === undefined || typeof child === 'boolean';
/** Nobody translates spaces, and an element around them would be an item of a flex box. */
const isBlank = (text: string) => text.trim() === '';
const wrap = (text: string): ReactElement => react.jsx('span', { children: text });

/** Each run of texts in one element, at the place of its first text. All other children keep their places, which are their keys. */
function wrapRuns(children: readonly unknown[]): unknown[] {
  const wrapped = [...children];
  for (let start = 0; start < children.length; start += 1) {
    if (!isText(children[start])) continue;
    let end = start + 1;
    while (end < children.length && (isText(children[end]) || isNothing(children[end]))) end += 1;
    const text = children.slice(start, end).filter(isText).join('');
    wrapped.fill(null, start, end);
    wrapped[start] = isBlank(text) ? text : wrap(text);
    start = end - 1;
  }
  return wrapped;
}

/** The properties of an element, with an element around each text that does not stand alone. */
export function withTextElements<Given extends Props>(type: ElementType, props: Given): Given {
  const { children } = props;
  if (!Array.isArray(children)) {
    // A fragment has no element of its own.
    const isBare = type === Fragment && isText(children) && !isBlank(String(children));
    return isBare ? { ...props, children: wrap(String(children)) } : props;
  }
  if (!children.some(isText)) return props;
  if (!children.every((child) => isText(child) || isNothing(child))) return { ...props, children: wrapRuns(children) };
  const text = children.filter(isText).join('');
  return { ...props, children: type === Fragment && !isBlank(text) ? wrap(text) : text };
}

export { Fragment };

export const jsx = (type: ElementType, props: Props, key?: Key) => react.jsx(type, withTextElements(type, props), key);

export const jsxs = (type: ElementType, props: Props, key?: Key) => {
  const safe = withTextElements(type, props);
  return (Array.isArray(safe.children) ? react.jsxs : react.jsx)(type, safe, key);
};

/** What `npm run dev` uses, with the place in the source for messages. */
export const jsxDEV = (
  type: ElementType,
  props: Props,
  key: Key | undefined,
  isStatic: boolean,
  ...place: [source?: dev.JSXSource, self?: unknown]
) => {
  const safe = withTextElements(type, props);
  return dev.jsxDEV(type, safe, key, isStatic && Array.isArray(safe.children), ...place);
};
