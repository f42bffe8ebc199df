import { expect, test } from 'vitest';
import { noDevicesText } from './DeviceList.tsx';

test('somebody without push is told that they still get emails only where these are on', () => {
  const said = (...mails: boolean[]) => noDevicesText(mails.map((mail) => ({ mail })));
  expect(said(true, true)).toBe('None of your devices get push notifications yet. You still get emails.');
  expect(said(true, false)).toMatch(/only the emails that are turned on above.$/);
  expect(said(false, false)).toMatch(/you hear of your orders only here.$/);
});
