import { useEffect, useRef, useState } from 'react';
import type { Position } from '../../contract/positions.ts';
import type { Line } from '../../domain/lines.ts';
import type { Point } from '../../domain/places.ts';
import { isPositionStale } from '../../domain/positions.ts';
import { drawOnLine, glideBetween } from './glide.ts';

/** Shorter than the pause between two positions, so that the pin has arrived when the next one comes. */
const GLIDE_MS = 4_000;

const prefersReducedMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Where to draw the driver's pin: it moves from each position to the next one, along the line. It jumps under reduced
 * motion, and when the previous position was old by then, because nobody knows the way in between.
 */
export function useGlide(position: Position, line: Line | undefined): { readonly at: Point; readonly rest: Line } {
  const [shown, setShown] = useState<Point>(position);
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
    if (isJump || before.at === position.at) return show(position);
    const glide = glideBetween(lineNow.current, from, position);
    const start = performance.now();
    let frame = requestAnimationFrame(function draw(time) {
      const share = Math.min(1, Math.max(0, (time - start) / GLIDE_MS));
      show(glide(share));
      if (share < 1) frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [position]);
  return drawOnLine(line, shown);
}
