import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Icon } from '../ui/icons.tsx';
import { toast } from '../ui/toast.tsx';
import styles from './AroundMe.module.css';
import { DUBER_DASHBOARD_KEY, type DuberDashboardData } from './dashboardQuery.ts';
import { isGeolocationAllowed, readLocation } from './position/geolocation.ts';

/** Shows the centre of the search, and lets a Duber search around the phone. Only this click asks for permission. */
export function AroundMe({ around }: { around: DuberDashboardData['around'] | undefined }) {
  const cache = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    void isGeolocationAllowed().then((allowed) => setOpen(!allowed && 'geolocation' in navigator));
  }, []);
  const search = async () => {
    const place = await readLocation(0, 10_000);
    if (place === 'denied')
      return toast.info('Still around your address', { description: 'Your browser does not tell where you are.' });
    setOpen(false);
    await cache.invalidateQueries({ queryKey: DUBER_DASHBOARD_KEY });
  };
  if (!around) return null;
  return (
    <div className={styles.line}>
      <p className="quiet">{around === 'phone' ? 'Around where you are now.' : 'Around your first address.'}</p>
      {around === 'address' && isOpen && (
        <Button variant="subtle" size="compact-md" leftSection={<Icon name="pin" />} onClick={() => void search()}>
          Search around me
        </Button>
      )}
    </div>
  );
}
