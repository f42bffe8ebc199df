import { Button } from '@mantine/core';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { DUBER_SEARCH_RADIUS_M } from '../../../domain/places.ts';
import { type GeolocationFailure, isGeolocationAllowed, readExactLocation } from '../../places/geolocation.ts';
import { Icon } from '../../ui/icons.tsx';
import { toast } from '../../ui/toast.tsx';
import { DUBER_DASHBOARD_KEY, type DuberDashboardData } from '../dashboardQuery.ts';
import styles from './AroundMe.module.css';

const CENTER_TEXTS: Record<DuberDashboardData['around'], string> = {
  phone: 'Near your current location.',
  address: 'Near your first address.',
  away: `Near your first address, because you are more than ${DUBER_SEARCH_RADIUS_M / 1000} km away from it.`,
};

const WHY_NOT: Record<GeolocationFailure | 'vague', string> = {
  vague: 'Your browser knows only roughly where you are.',
  denied: 'Your browser did not share your location.',
  unavailable: 'Your browser could not find your location.',
};

/** Asks for the phone's position, which may make the browser ask for permission. Returns false if there is none. */
export async function searchAroundPhone(cache: QueryClient): Promise<boolean> {
  const found = await readExactLocation(0, 10_000);
  if (typeof found === 'string') {
    toast.info('Still searching near your address', { description: WHY_NOT[found] });
    return false;
  }
  await cache.invalidateQueries({ queryKey: DUBER_DASHBOARD_KEY });
  return true;
}

/** Shows the centre of the search, and lets a Duber search around the phone. Only this click asks for permission. */
export function AroundMe({ around }: { around: DuberDashboardData['around'] | undefined }) {
  const cache = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    void isGeolocationAllowed().then((allowed) => setOpen(!allowed && 'geolocation' in navigator));
  }, []);
  const search = async () => setOpen(!(await searchAroundPhone(cache)));
  if (!around) return null;
  return (
    <div className={styles.line}>
      <p className="quiet">{CENTER_TEXTS[around]}</p>
      {around === 'address' && isOpen && (
        <Button variant="subtle" size="compact-md" leftSection={<Icon name="pin" />} onClick={() => void search()}>
          Search near me
        </Button>
      )}
    </div>
  );
}
