import { readStored, useStored, writeStored } from '../storage/stores.ts';

const STORAGE_KEY = 'rubadub-sound';
// On by default.
const isSoundOn = (stored: string | null) => stored !== 'off';

export function setSoundOn(on: boolean): void {
  writeStored(STORAGE_KEY, on ? 'on' : 'off');
  if (on) playSound();
}

export const useSoundOn = (): boolean => isSoundOn(useStored(STORAGE_KEY));

let audioContext: AudioContext | undefined;

const NOTES_HZ = [659.25, 880];
const NOTE_SECONDS = 0.16;
const VOLUME = 0.06;

/** Plays two soft notes, unless sound is off or the user has not interacted with the page yet. */
export function playSound(): void {
  if (!isSoundOn(readStored(STORAGE_KEY)) || navigator.userActivation?.hasBeenActive !== true) return;
  audioContext ??= new AudioContext();
  const startTime = audioContext.currentTime;
  for (const [index, hertz] of NOTES_HZ.entries()) {
    const [tone, gain] = [audioContext.createOscillator(), audioContext.createGain()];
    const start = startTime + index * NOTE_SECONDS;
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(VOLUME, start + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + NOTE_SECONDS * 2);
    tone.connect(gain).connect(audioContext.destination);
    tone.start(start);
    tone.stop(start + NOTE_SECONDS * 2);
  }
}
