import { keep, readKept, useKept } from '../hooks/useLocalStorage.ts';

const KEPT = 'rubadub-sound';
// Nobody need ask to be told of new work.
const isOn = (kept: string | null) => kept !== 'off';

export function setSound(on: boolean): void {
  keep(KEPT, on ? 'on' : 'off');
  if (on) playSound();
}

export const useSoundOn = (): boolean => isOn(useKept(KEPT));

let context: AudioContext | undefined;

const NOTES_HZ = [659.25, 880];
const NOTE_S = 0.16;
const LOUDNESS = 0.06;

/** Two soft notes, if sound is wanted and the browser lets a page be heard yet: it does once it was touched. */
export function playSound(): void {
  if (!isOn(readKept(KEPT)) || navigator.userActivation?.hasBeenActive !== true) return;
  context ??= new AudioContext();
  const from = context.currentTime;
  for (const [index, hertz] of NOTES_HZ.entries()) {
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    const start = from + index * NOTE_S;
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(LOUDNESS, start + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + NOTE_S * 2);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + NOTE_S * 2);
  }
}
