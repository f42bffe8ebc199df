import { expect, test } from 'vitest';
import { ACT_SHAPES } from './actFields.ts';

const kindsOf = (name: keyof typeof ACT_SHAPES) =>
  ACT_SHAPES[name].fields.map(({ name: field, kind, isRequired }) => `${field}: ${kind}${isRequired ? '' : '?'}`);

test('the fields of an act, their kinds and which may be missing are read from its shape', () => {
  expect(kindsOf('setPrice')).toEqual(['value: number', 'from: date?', 'atOnce: flag?']);
  expect(kindsOf('pauseTown')).toEqual(['until: time', 'words: text', 'zone: text?', 'touched: choice?']);
  expect(kindsOf('inviteOperator')).toEqual(['email: text', 'caps: choices']);
  expect(kindsOf('sendBroadcast')).toEqual(['to: choice', 'title: text', 'words: text', 'isUrgent: flag']);
  expect(kindsOf('notePerson')).toEqual([]);
  expect(ACT_SHAPES.setPreset.fields[0]?.options).toEqual(['open', 'careful']);
});

test('the shape of an act says whether a second operator must approve it, and how one who runs the town alone does it', () => {
  expect(ACT_SHAPES.setPrice).toMatchObject({ approval: 'always' });
  expect(ACT_SHAPES.setPrice).not.toHaveProperty('alone');
  expect(ACT_SHAPES.changeRights).toMatchObject({ approval: 'depends', alone: 'waits' });
  expect(ACT_SHAPES.refundOrder).not.toHaveProperty('approval');
});
