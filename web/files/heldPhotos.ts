/** The newest photos of forms, by their id until they are sent: a form may be left, or come back after a refusal. */
export const heldPhotos = new Map<string, Blob>();
