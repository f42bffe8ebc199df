import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MiniMap } from './MiniMap.tsx';

const place = (latitude: number, longitude: number) => ({ latitude, longitude });

test('the drawing of several offers has a pin with the number of each, and a line for each way', () => {
  const ways = ['1', '2', '3'].map((pickupLabel, index) => ({
    ...{ pickup: place(24 + index / 100, 67), drop: place(24, 67.01 + index / 100) },
    ...{ pickupLabel, dropLabel: '' },
  }));
  const drawn = renderToStaticMarkup(<MiniMap ways={ways} from={place(24.005, 67.005)} />);
  for (const number of ['1', '2', '3']) expect(drawn).toContain(`>${number}</text>`);
  // One line a way; the way of the Duber to the pickup is drawn for a single offer only.
  expect(drawn.match(/d="M[\d.]+ [\d.]+L/g)).toHaveLength(3);
});

test('the drawing of one way has its Duber on a line to the pickup', () => {
  const way = { pickup: place(24, 67), drop: place(24.01, 67.01), pickupLabel: 'A', dropLabel: 'B' };
  const drawn = renderToStaticMarkup(<MiniMap ways={[way]} from={place(24.005, 67)} />);
  expect(drawn.match(/d="M[\d.]+ [\d.]+L/g)).toHaveLength(2);
  expect(drawn).toContain('>A</text>');
  expect(drawn).toContain('>B</text>');
});
