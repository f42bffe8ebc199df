const options = (imports: string, shift: string): string =>
  `--import=data:text/javascript,${encodeURIComponent(`
    ${imports}
    const real = Date.now.bind(Date); const Real = Date;
    ${shift}
    globalThis.Date = class extends Real {
      constructor(...all) { super(...(all.length > 0 ? all : [real() + shift])); }
      static now() { return real() + shift; }
    };`)}`;

/** The options of Node that make the clock of a new process wrong by some days. */
export const shiftClock = (days: number): string => options('', `const shift = ${days * 86_400_000};`);

/**
 * The options of Node that shift the clock of a new process by the milliseconds in a file. A process that goes on is told of another
 * number by the signal SIGUSR2.
 */
export const followClock = (file: string): string =>
  options(
    "import { readFileSync } from 'node:fs';",
    `let shift;
    const read = () => { shift = Number(readFileSync(${JSON.stringify(file)}, 'utf8')); };
    read();
    process.on('SIGUSR2', read);`,
  );
