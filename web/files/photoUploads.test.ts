import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitUntil } from '../../testing/waits.ts';
import { heldPhotos } from './heldPhotos.ts';
import { createPhotoUploads } from './photoUploads.ts';
import { isWaitingId } from './waitingPhoto.ts';

const DOOR = new Blob(['the door'], { type: 'image/jpeg' });

/** Answers of the server to photos, in the order in which it gets them. Each is given by the test. */
let answers: ((fileId: string) => void)[];
/** Whether photos can be scaled now; until then they are being prepared. */
let scale: PromiseWithResolvers<void>;

const context = { fillRect: () => undefined, drawImage: () => undefined };
const canvas = { getContext: () => context, toBlob: (done: (photo: Blob) => void) => done(DOOR) };

beforeEach(() => {
  answers = [];
  scale = Promise.withResolvers();
  scale.resolve();
  heldPhotos.clear();
  vi.stubGlobal('document', { cookie: 'auth-token=mine', createElement: () => canvas });
  vi.stubGlobal('createImageBitmap', async () => {
    await scale.promise;
    return { width: 8, height: 8, close: () => undefined };
  });
  vi.stubGlobal('fetch', () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answers.push((fileId) => resolve(Response.json({ id: fileId }, { status: 201 })));
    return promise;
  });
});
afterEach(() => {
  // The next photo is sent after these.
  for (const answer of answers) answer('a-file');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A form that stays when its picker is closed, such as that of a hand-over. */
function createForm() {
  const form = { fileIds: [] as string[] };
  const openPicker = () => {
    const onChange = (fileIds: string[]) => {
      form.fileIds = fileIds;
    };
    const photos = createPhotoUploads({ current: { fileIds: form.fileIds, onChange, max: 3, canWait: true } });
    return { ...photos, close: photos.open() };
  };
  return { form, openPicker };
}

test('a photo that is removed stays removed when the picker that sent it is closed', async () => {
  const { form, openPicker } = createForm();
  const first = openPicker();
  const added = first.add([DOOR]);
  await waitUntil(() => answers.length === 1);
  expect(form.fileIds.map(isWaitingId)).toEqual([true]);
  first.close();

  const second = openPicker();
  for (const upload of second.read()) second.remove(upload);
  expect(form.fileIds).toEqual([]);
  answers[0]?.('the-file');
  await added;
  expect(form.fileIds).toEqual([]);
});

test('a photo that is taken after the picker was opened again stays when an earlier one is sent', async () => {
  const { form, openPicker } = createForm();
  const first = openPicker();
  const added = first.add([DOOR]);
  await waitUntil(() => answers.length === 1);
  first.close();

  const second = openPicker();
  const addedLater = second.add([DOOR]);
  await waitUntil(() => form.fileIds.length === 2);
  const [early, late] = form.fileIds;
  answers[0]?.('the-early-file');
  await added;
  expect(form.fileIds).toEqual([early, late]);

  await waitUntil(() => answers.length === 2);
  answers[1]?.('the-late-file');
  await addedLater;
  expect(form.fileIds).toEqual([early, 'the-late-file']);
  second.retryWaiting();
  await waitUntil(() => form.fileIds[0] === 'the-early-file');
  expect(answers).toHaveLength(2);
});

test('a picker that is closed while it prepares a photo keeps nothing of it', async () => {
  const preview = vi.spyOn(URL, 'createObjectURL');
  scale = Promise.withResolvers();
  const post = vi.fn(async () => Response.json({ id: 'the-file' }, { status: 201 }));
  vi.stubGlobal('fetch', post);
  const { form, openPicker } = createForm();
  const picker = openPicker();
  const added = picker.add([DOOR]);
  picker.close();
  scale.resolve();
  await added;
  expect([preview.mock.calls.length, heldPhotos.size, post.mock.calls.length, form.fileIds]).toEqual([0, 0, 0, []]);
});
