import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Position } from '../../contract/positions.ts';
import type { Line } from '../../domain/mapLines.ts';
import type { Point } from '../../domain/places.ts';
import { isPositionStale } from '../../domain/positions.ts';
import { drawOnLine, glideBetween } from './glide.ts';

/** Shorter than the pause between two positions, so that the pin has arrived when the next one comes. */
const GLIDE_MS = 4_000;

/** The line follows the pin in steps: each one is drawn from scratch. */
const LINE_MS = 200;

const prefersReducedMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Where to draw the driver's pin: it moves from each position to the next one, along the line. It jumps under reduced motion,
 * when nobody sees it (a hidden tab has no frames), and when the previous position was old by then, because nobody knows the way
 * in between. `rest` is the part of the line that is still ahead.
 */
export function useGlide(
  position: Position,
  line: Line | undefined,
  isInView: RefObject<boolean>,
): { readonly at: Point; readonly rest: Line } {
  const [shown, setShown] = useState<Point>(position);
  const [cut, setCut] = useState<Point>(position);
  const last = useRef({ position, shown: position as Point });
  const lineNow = useRef(line);
  lineNow.current = line;
  useEffect(() => {
    const { position: before, shown: from } = last.current;
    const show = (point: Point) => {
      last.current = { position, shown: point };
      setShown(point);
    };
    const isJump = isPositionStale(new Date(before.at), new Date(position.at)) || prefersReducedMotion();
    const arrive = () => {
      show(position);
      setCut(position);
    };
    if (isJump || before.at === position.at || !isInView.current) return arrive();
    const glide = glideBetween(lineNow.current, from, position);
    const start = performance.now();
    let cutAt = start;
    let frame = requestAnimationFrame(function draw(time) {
      const share = Math.max(0, (time - start) / GLIDE_MS);
      if (share >= 1 || !isInView.current) return arrive();
      const point = glide(share);
      show(point);
      if (time - cutAt >= LINE_MS) {
        setCut(point);
        cutAt = time;
      }
      frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [position]);
  const { rest } = useMemo(() => drawOnLine(line, cut), [line, cut]);
  return { at: drawOnLine(line, shown).at, rest };
}
