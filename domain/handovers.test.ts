import { describe, expect, test } from 'vitest';
import { BAG_CODE_CHARACTERS, BAG_CODE_LENGTH, findProof, isEnoughProof, readBagCode } from './handovers.ts';

describe('the code of a bag', () => {
  test('has each of the characters that nobody mixes up, and no other', () => {
    const codeOf = (sign: string) => sign.repeat(BAG_CODE_LENGTH);
    for (let code = 33; code < 127; code += 1) {
      const sign = String.fromCharCode(code).toUpperCase();
      if ('/-'.includes(sign)) continue;
      expect(readBagCode(codeOf(sign)) !== undefined, sign).toBe(BAG_CODE_CHARACTERS.includes(sign));
    }
    for (const sign of '0O1I') expect(BAG_CODE_CHARACTERS).not.toContain(sign);
  });

  test('is read from a link, in small letters and with gaps', () => {
    for (const typed of ['7KQ2MB', ' 7kq 2mb ', '7kq-2mb', 'https://rubadub.test/b/7KQ2MB']) {
      expect(readBagCode(typed)).toBe('7KQ2MB');
    }
    for (const typed of ['', '7KQ2M', '7KQ2MBB', '7KQ2M0']) expect(readBagCode(typed)).toBeUndefined();
  });
});

describe('the proof of a hand-over', () => {
  const nothing = {
    ...{ isPinRight: false, isPinBlocked: false, photos: 0, bagCodes: 0 },
    ...{ hasPlace: false, isAtDoor: false, mayLeaveAtDoor: false },
  };

  test('is the strongest of what there is', () => {
    const bud = { ...nothing, recipient: 'Bud' } as const;
    expect(findProof(bud)).toBe('none');
    expect(findProof({ ...bud, bags: 2 })).toBe('count');
    expect(findProof({ ...bud, bags: 2, photos: 1 })).toBe('photo');
    expect(findProof({ ...bud, photos: 1, hasPlace: true, mayLeaveAtDoor: true })).toBe('door');
    expect(findProof({ ...bud, photos: 1, isPinRight: true })).toBe('pin');
  });

  test('is enough when the side that takes the laundry gives it', () => {
    const isEnough = (
      proof: Parameters<typeof isEnoughProof>[0],
      recipient: 'Duber' | 'Scrub',
      isPinBlocked = false,
      isAtDoor = true,
    ) => isEnoughProof(proof, { recipient, isPinBlocked, isAtDoor });
    expect([isEnough('count', 'Duber'), isEnough('count', 'Scrub')]).toEqual([true, false]);
    expect([isEnough('photo', 'Scrub'), isEnough('photo', 'Scrub', true)]).toEqual([false, true]);
    expect(isEnough('photo', 'Scrub', true, false)).toBe(false);
    expect([isEnough('none', 'Duber'), isEnough('none', 'Scrub')]).toEqual([false, false]);
  });
});
