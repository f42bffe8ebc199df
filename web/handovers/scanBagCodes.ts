import { readBagCode } from '../../domain/handovers.ts';

// Not in TypeScript's library yet, and not in every browser.
type Detector = { detect(image: ImageBitmap): Promise<readonly { readonly rawValue: string }[]> };
type DetectorClass = new (options: { formats: string[] }) => Detector;

const findDetector = () => (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;

/** Whether this browser can read a tag from a photo. */
export const canScan = (): boolean => findDetector() !== undefined;

/** The bag codes on a photo. */
export async function scanBagCodes(photo: Blob): Promise<string[]> {
  const Detector = findDetector();
  if (!Detector) return [];
  const image = await createImageBitmap(photo);
  const found = await new Detector({ formats: ['qr_code'] }).detect(image).finally(() => image.close());
  return found.flatMap(({ rawValue }) => readBagCode(rawValue) ?? []);
}
