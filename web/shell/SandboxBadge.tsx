import { useConfig } from '../config.ts';

const STAND_IN_NAMES = { square: 'card payments', places: 'address search', map: 'the map', mail: 'mail' } as const;

/** Says that a stand-in plays a third party here, so that nobody waits for a real letter or a real charge. */
export function SandboxBadge({ className }: { className: string }) {
  const standIns = useConfig()?.standIns ?? [];
  if (standIns.length === 0) return null;
  const names = standIns.map((one) => STAND_IN_NAMES[one]).join(', ');
  return (
    <span className={className} title={`Played by a stand-in here: ${names}. No real money moves.`}>
      Sandbox<span> · no real money</span>
    </span>
  );
}
