import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../ui/EmptyState.tsx';

/** Buds find a Scrub by the address, so a Scrub without jobs should check it. */
export function NoJobs() {
  return (
    <EmptyState drawing="washer" text="No jobs available at the moment">
      <Button component={Link} to="/profile" variant="default">
        Check Your Address
      </Button>
    </EmptyState>
  );
}
