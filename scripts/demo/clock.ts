export type DemoClock = {
  readonly now: () => Date;
  /** Sets the time, from which the clock runs on. */
  readonly moveTo: (time: Date) => void;
  readonly returnToPresent: () => void;
};

/** The clock of a server while its demo is added: it shows the past in which the demo people placed their orders. */
export function createDemoClock(startAt?: Date): DemoClock {
  let aheadMs = startAt ? startAt.getTime() - Date.now() : 0;
  return {
    now: () => new Date(Date.now() + aheadMs),
    moveTo: (time) => {
      aheadMs = time.getTime() - Date.now();
    },
    returnToPresent: () => {
      aheadMs = 0;
    },
  };
}
