/** The command `durable-journal`: starts the service. */
import './main';
