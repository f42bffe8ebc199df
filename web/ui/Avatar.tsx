import styles from './Avatar.module.css';
import { initialOf } from './format.ts';

const COLOURS = ['water', 'sky', 'leaf', 'lemon', 'rose', 'stone'] as const;
type Colour = (typeof COLOURS)[number];

/** The body of each little character, on a grid of 48, and where its face is: the initial as its eyes, and a smile. */
const SHAPES = [
  { name: 'drop', path: 'M24 7c6 8 12 14 12 21a12 12 0 0 1-24 0c0-7 6-13 12-21z', face: 28 },
  { name: 'bubble', path: 'M24 10a14 14 0 1 0 0 28 14 14 0 0 0 0-28z', face: 24 },
  { name: 'shirt', path: 'M17 10 7 17l5 8 4-2v16h16V23l4 2 5-8-10-7c-2 4-12 4-14 0z', face: 25 },
  { name: 'sock', path: 'M15 8h15v18l9 5c4 3 1 9-5 9H23c-5 0-8-3-8-8z', face: 20, shift: -1.5 },
  { name: 'soap', path: 'M14 15h20a7 7 0 0 1 7 7v6a7 7 0 0 1-7 7H14a7 7 0 0 1-7-7v-6a7 7 0 0 1 7-7z', face: 24 },
  { name: 'cloud', path: 'M16 36h17a8 8 0 0 0 1-16 11 11 0 0 0-21-1 8.5 8.5 0 0 0 3 17z', face: 27 },
] as const;

/** A number that depends on the text only (FNV-1a). */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return hash;
}

/** The colour and the shape of a person's drawing: always the same for the same name. */
export function drawingOf(name: string): { colour: Colour; shape: (typeof SHAPES)[number] } {
  const hash = hashOf(name.trim());
  const shape = SHAPES[Math.floor(hash / COLOURS.length) % SHAPES.length];
  return { colour: COLOURS[hash % COLOURS.length] ?? COLOURS[0], shape: shape ?? SHAPES[0] };
}

/** A small character drawn from a name, with its initial. Hidden from screen readers because the name is beside it. */
export function Avatar({ name, size = 44 }: { name: string; size?: number }) {
  const { colour, shape } = drawingOf(name);
  const middle = 24 + ('shift' in shape ? shape.shift : 0);
  return (
    <svg
      className={`${styles.avatar} ${styles[colour]}`}
      width={size}
      height={size}
      viewBox="0 0 48 48"
      aria-hidden="true"
      data-avatar={`${colour} ${shape.name}`}
    >
      <circle className={styles.ground} cx="24" cy="24" r="24" />
      <path className={styles.body} d={shape.path} />
      <text className={styles.initial} fontSize="12.5" x={middle} y={shape.face - 2}>
        {initialOf(name)}
      </text>
      <path className={styles.smile} d={`M${middle - 3.5} ${shape.face + 5}c1.8 2 5.2 2 7 0`} />
    </svg>
  );
}
