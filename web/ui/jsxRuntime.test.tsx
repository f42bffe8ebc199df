import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';

const markup = (node: ReactNode) => renderToStaticMarkup(node);

/** As many components do: an icon, and the words that they are given. */
function Chip({ children, isMarked = true }: { children: ReactNode; isMarked?: boolean }) {
  return (
    <b>
      {isMarked && <i />}
      {children}
    </b>
  );
}

describe('a text in a screen', () => {
  const [count, name] = [3, 'Ada'];

  test('is one text with what stands in it, when there is nothing else in the element', () => {
    expect(
      markup(
        <p>
          {count} bags of {name}
        </p>,
      ),
    ).toBe('<p>3 bags of Ada</p>');
  });

  test('gets an element of its own beside other elements, and spaces stay as they are', () => {
    expect(
      markup(
        <p>
          {name} has <em>{count}</em> <i /> bags{count > 1 && '!'}
        </p>,
      ),
    ).toBe('<p><span>Ada has </span><em>3</em> <i></i><span> bags!</span></p>');
  });

  test('gets an element of its own in a component that puts it beside an icon', () => {
    expect(markup(<Chip>Pending</Chip>)).toBe('<b><i></i><span>Pending</span></b>');
    expect(
      markup(
        <Chip>
          {count} of {name}
        </Chip>,
      ),
    ).toBe('<b><i></i><span>3 of Ada</span></b>');
  });

  test('needs no element of its own where nothing stands beside it', () => {
    expect(markup(<Chip isMarked={false}>Pending</Chip>)).toBe('<b>Pending</b>');
  });

  test('gets an element of its own in a fragment, which has none', () => {
    expect(markup(<>{name}</>)).toBe('<span>Ada</span>');
    expect(
      markup(
        <>
          {name} {count}
        </>,
      ),
    ).toBe('<span>Ada 3</span>');
  });

  test('that is nothing stays nothing', () => {
    expect(
      markup(
        <p>
          {false}
          {null}
        </p>,
      ),
    ).toBe('<p></p>');
  });
});
