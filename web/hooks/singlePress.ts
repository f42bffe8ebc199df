import type { KeyboardEvent, MouseEvent } from 'react';

/**
 * What a button of a workflow needs: the second tap of a double tap and a key that is held down are let go, because
 * they would land on the step after this one.
 */
export function getSinglePressProps(act: () => void) {
  return {
    onClick: (event: MouseEvent) => {
      if (event.detail <= 1) act();
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.repeat) event.preventDefault();
    },
  };
}
