import { start } from './server';

export default start;
