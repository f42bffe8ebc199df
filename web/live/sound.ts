import { useSyncExternalStore } from 'react';

const KEPT = 'rubadub-sound';
const listeners = new Set<() => void>();

export function isSoundOn(): boolean {
  return localStorage.getItem(KEPT) !== 'off';
}

export function setSound(isOn: boolean): void {
  localStorage.setItem(KEPT, isOn ? 'on' : 'off');
  for (const tell of listeners) tell();
  if (isOn) playSound();
}

function listen(changed: () => void): () => void {
  listeners.add(changed);
  window.addEventListener('storage', changed);
  return () => {
    listeners.delete(changed);
    window.removeEventListener('storage', changed);
  };
}

export function useSoundOn(): boolean {
  return useSyncExternalStore(listen, isSoundOn);
}

let context: AudioContext | undefined;

const NOTES_HZ = [659.25, 880];
const NOTE_S = 0.16;
const LOUDNESS = 0.06;

/** Two soft notes, if sound is wanted and the browser lets a page be heard yet: it does once it was touched. */
export function playSound(): void {
  if (!isSoundOn() || navigator.userActivation?.hasBeenActive !== true) return;
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
