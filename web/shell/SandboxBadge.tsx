import { useConfig } from '../api/config.ts';

const STAND_IN_NAMES = { square: 'card payments', places: 'address search', map: 'the map', mail: 'email' } as const;

/** Shows which third parties are simulated, so that nobody waits for a real mail or a real charge. */
export function SandboxBadge({ className }: { className: string }) {
  const standIns = useConfig()?.standIns ?? [];
  if (standIns.length === 0) return null;
  const names = standIns.map((standIn) => STAND_IN_NAMES[standIn]).join(', ');
  return (
    <span className={className} title={`Simulated here: ${names}. No real money moves.`}>
      Sandbox<span> · no real money</span>
    </span>
  );
}
