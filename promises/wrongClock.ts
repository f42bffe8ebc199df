/** The options of Node that make the clock of a new process wrong by some days. */
export const shiftClock = (days: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(`
    const shift = ${days * 86_400_000}; const real = Date.now.bind(Date); const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...all) { super(...(all.length > 0 ? all : [real() + shift])); }
      static now() { return real() + shift; }
    };`)}`;
