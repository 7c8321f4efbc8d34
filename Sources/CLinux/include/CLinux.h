int clinux_placeholder(void);
