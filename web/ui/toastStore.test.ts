import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismissToast, getToasts, showToast } from './toastStore.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const toast of getToasts()) dismissToast(toast.id);
  vi.runAllTimers();
  vi.useRealTimers();
});

const titles = () => getToasts().map((toast) => toast.title);

test('a sixth toast removes the oldest of the five', () => {
  for (const number of [1, 2, 3, 4, 5, 6]) showToast('info', `toast ${number}`);
  expect(titles()).toEqual(['toast 2', 'toast 3', 'toast 4', 'toast 5', 'toast 6']);
});

test('a toast stays five seconds, a loading toast stays until dismissed, and a given duration wins', () => {
  showToast('success', 'saved');
  showToast('loading', 'saving');
  showToast('error', 'Network Error', { duration: 10_000 });
  expect(getToasts().map((toast) => toast.duration)).toEqual([5000, 0, 10_000]);
});

test('a dismissed toast animates out for 300 ms and is then removed', () => {
  const id = showToast('warning', 'going');
  dismissToast(id);
  expect(getToasts()[0]?.isLeaving).toBe(true);
  vi.advanceTimersByTime(299);
  expect(titles()).toEqual(['going']);
  vi.advanceTimersByTime(1);
  expect(titles()).toEqual([]);
});

test('dismissing a toast twice or an unknown id does nothing', () => {
  const id = showToast('info', 'once');
  dismissToast(id);
  dismissToast(id);
  dismissToast(id + 1000);
  vi.runAllTimers();
  expect(titles()).toEqual([]);
});
