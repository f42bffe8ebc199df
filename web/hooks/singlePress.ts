import type { KeyboardEvent, MouseEvent } from 'react';

/**
 * The handlers of a workflow button. They ignore the second tap of a double tap and a key that is held down, which would
 * press the button of the next step.
 */
export function getSinglePressProps(onPress: () => void) {
  return {
    onClick: (event: MouseEvent) => {
      if (event.detail <= 1) onPress();
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.repeat) event.preventDefault();
    },
  };
}

/** The same for the button that submits a form. */
export const SINGLE_SUBMIT_PROPS = {
  onClick: (event: MouseEvent) => {
    if (event.detail > 1) event.preventDefault();
  },
  onKeyDown: getSinglePressProps(() => undefined).onKeyDown,
};
