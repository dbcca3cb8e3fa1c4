-- The journal's own database beside n8n's.
CREATE DATABASE journal;
