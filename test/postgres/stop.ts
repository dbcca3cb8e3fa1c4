import { stop } from './server';

export default stop;
