import { describeSituations } from './situations.ts';

describeSituations('careful');
