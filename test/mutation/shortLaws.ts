import fc from 'fast-check';

// Thousands of mutants each run every law that meets them. In milliseconds; a law that does not even begin has failed.
fc.configureGlobal({ interruptAfterTimeLimit: 200 });
